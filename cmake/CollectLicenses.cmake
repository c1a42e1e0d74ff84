# Runs at install time, after the libraries are in place: gathers the license of each thing that is shipped, and
# fails where one cannot be found.

file(MAKE_DIRECTORY "${debrief_licenses_folder}")
file(COPY_FILE "${debrief_script_licenses}" "${debrief_licenses_folder}/page-script.txt")

if(debrief_arrow_licenses)
  foreach(name IN ITEMS LICENSE NOTICE)
    file(COPY_FILE "${debrief_arrow_licenses}/${name}.txt" "${debrief_licenses_folder}/apache-arrow-${name}.txt")
  endforeach()
endif()

# A Debian package keeps its license in /usr/share/doc.
function(take_license_of_package package)
  set(copyright "/usr/share/doc/${package}/copyright")
  if(NOT EXISTS "${copyright}")
    message(FATAL_ERROR "No license for ${package}: ${copyright} is missing.")
  endif()
  file(COPY_FILE "${copyright}" "${debrief_licenses_folder}/${package}.txt")
endfunction()

# Header-only libraries are in the binary itself.
foreach(package IN ITEMS nlohmann-json3-dev libcli11-dev libhowardhinnant-date-dev)
  take_license_of_package(${package})
endforeach()
cmake_path(GET debrief_inja_include PARENT_PATH inja_folder)
if(EXISTS "${inja_folder}/license/copyright")
  file(COPY_FILE "${inja_folder}/license/copyright" "${debrief_licenses_folder}/inja-dev.txt")
else()
  take_license_of_package(inja-dev)
endif()

# Shared libraries: the package that owns the file of that name for this machine's architecture.
file(GLOB libraries "${debrief_libraries_folder}/*.so*")
foreach(library IN LISTS libraries)
  cmake_path(GET library FILENAME name)
  if(debrief_arrow_licenses AND name MATCHES "^lib(arrow|parquet)\\.")
    continue()
  endif()
  execute_process(COMMAND dpkg-query --search "*/${debrief_architecture}/${name}" OUTPUT_VARIABLE owner ERROR_QUIET)
  if(NOT owner MATCHES "^([^:]+):")
    message(FATAL_ERROR "No license for ${name}: no package owns it.")
  endif()
  take_license_of_package("${CMAKE_MATCH_1}")
endforeach()
