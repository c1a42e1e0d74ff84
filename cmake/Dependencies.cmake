# The libraries debrief is built on. scripts/setup brings what the system lacks into one folder outside the
# build tree; this finds it there or in the system.

if(DEFINED ENV{DEBRIEF_DEPS})
  set(debrief_deps "$ENV{DEBRIEF_DEPS}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(debrief_deps "$ENV{XDG_CACHE_HOME}/debrief")
else()
  set(debrief_deps "$ENV{HOME}/.cache/debrief")
endif()
set(DEBRIEF_DEPS "${debrief_deps}" CACHE PATH "Folder into which scripts/setup brings dependencies")
file(GLOB debrief_prefixes "${DEBRIEF_DEPS}/catch2-*")
list(APPEND CMAKE_PREFIX_PATH ${debrief_prefixes})

set(needs_setup "run scripts/setup build, which brings it")

# Their headers are not ours to warn about.
set(CMAKE_INCLUDE_SYSTEM_FLAG_CXX "-isystem ")

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(date REQUIRED)
find_package(CLI11 REQUIRED)

# inja: header-only, newer than Debian 12's own packages.
file(GLOB inja_hints "${DEBRIEF_DEPS}/inja-*/include")
find_path(INJA_INCLUDE_DIR inja/inja.hpp HINTS ${inja_hints})
if(NOT INJA_INCLUDE_DIR)
  message(FATAL_ERROR "inja is missing: ${needs_setup}.")
endif()
add_library(inja INTERFACE)
target_include_directories(inja SYSTEM INTERFACE "${INJA_INCLUDE_DIR}")
target_link_libraries(inja INTERFACE nlohmann_json::nlohmann_json)

# ISA-L: inflates three to four times as fast as zlib. Debian ships no package file for CMake.
find_path(ISAL_INCLUDE_DIR isa-l/igzip_lib.h)
find_library(ISAL_LIBRARY isal)
if(NOT ISAL_INCLUDE_DIR OR NOT ISAL_LIBRARY)
  message(FATAL_ERROR "ISA-L is missing: ${needs_setup}.")
endif()
add_library(isal INTERFACE)
target_include_directories(isal SYSTEM INTERFACE "${ISAL_INCLUDE_DIR}")
target_link_libraries(isal INTERFACE "${ISAL_LIBRARY}")

# libcurl: its header alone. The library is loaded when something is sent (src/actions/curl_library.h).
find_path(CURL_INCLUDE_DIR curl/curl.h)
if(NOT CURL_INCLUDE_DIR)
  message(FATAL_ERROR "libcurl's header is missing: ${needs_setup}.")
endif()
add_library(curl_header INTERFACE)
target_include_directories(curl_header SYSTEM INTERFACE "${CURL_INCLUDE_DIR}")

# protozero: reads protobuf's wire format (TensorBoard, W&B); headers alone, without a package file for CMake.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp)
if(NOT PROTOZERO_INCLUDE_DIR)
  message(FATAL_ERROR "protozero is missing: ${needs_setup}.")
endif()
add_library(protozero INTERFACE)
target_include_directories(protozero SYSTEM INTERFACE "${PROTOZERO_INCLUDE_DIR}")

find_package(SQLite3 REQUIRED)

include(Arrow)
