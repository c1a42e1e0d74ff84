# Script, style and templates of the page, made into one C++ file by assets/build.mjs.

find_program(NODE_EXECUTABLE NAMES node nodejs REQUIRED)
if(NOT EXISTS "${CMAKE_SOURCE_DIR}/assets/node_modules/esbuild")
  message(FATAL_ERROR "assets/node_modules is missing: run scripts/setup build, which brings it.")
endif()

file(GLOB_RECURSE asset_inputs CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/assets/src/*" "${CMAKE_SOURCE_DIR}/templates/*.html")
set(DEBRIEF_EMBEDDED "${CMAKE_BINARY_DIR}/generated/embedded.cpp")
# Packaging ships it, from another scope.
set(DEBRIEF_SCRIPT_LICENSES "${CMAKE_BINARY_DIR}/generated/script-licenses.txt" CACHE INTERNAL "")
add_custom_command(
  OUTPUT "${DEBRIEF_EMBEDDED}" "${DEBRIEF_SCRIPT_LICENSES}"
  COMMAND "${NODE_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/assets/build.mjs" --templates "${CMAKE_SOURCE_DIR}/templates" --out
          "${DEBRIEF_EMBEDDED}" --licenses "${DEBRIEF_SCRIPT_LICENSES}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${DEBRIEF_EMBEDDED}"
  DEPENDS ${asset_inputs} "${CMAKE_SOURCE_DIR}/assets/build.mjs"
    "${CMAKE_SOURCE_DIR}/assets/package-lock.json"
  COMMENT "Bundling the page's script, style and templates"
  VERBATIM)
