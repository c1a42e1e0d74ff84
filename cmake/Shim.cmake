# The Python files that `debrief record` puts on PYTHONPATH, made into one C++ file.

file(GLOB shim_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/record/shim/*.py")
set(shim_entries "")
list(LENGTH shim_files shim_count)
foreach(shim_file IN LISTS shim_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${shim_file}")
  get_filename_component(shim_name "${shim_file}" NAME)
  file(READ "${shim_file}" shim_text)
  string(APPEND shim_entries "      {\"${shim_name}\", R\"shim_text(${shim_text})shim_text\"},\n")
endforeach()
set(DEBRIEF_SHIM "${CMAKE_BINARY_DIR}/generated/record/embedded_shim.cpp")
configure_file("${CMAKE_SOURCE_DIR}/src/record/embedded_shim.cpp.in" "${DEBRIEF_SHIM}" @ONLY)
