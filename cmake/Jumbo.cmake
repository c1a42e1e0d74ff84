# Jumbo units: the sources of one folder, compiled together in a few units. Most of a file's compile time goes into the
# same headers and the same template instances as its neighbors', so a build from nothing takes a fraction of the time.
#
# Names in anonymous namespaces must be unique within a folder. -DDEBRIEF_JUMBO=OFF compiles file by file: clang-tidy
# wants that, and so does who edits one file over and over.

option(DEBRIEF_JUMBO "Compile the sources of a folder together" ON)

# Groups a target's sources by folder, at most `most` files to a unit, in units of about the same size. A folder that
# does not share (it includes a library that the others do not need) is still a group of its own.
function(debrief_jumbo target most)
  if(NOT DEBRIEF_JUMBO)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  set(folders "")
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${base}" OUTPUT_VARIABLE relative)
    string(REGEX REPLACE "/[^/]*$" "" folder "${relative}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND sources_of_${folder} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH sources_of_${folder} count)
    math(EXPR units "(${count} + ${most} - 1) / ${most}")
    math(EXPR size "(${count} + ${units} - 1) / ${units}")
    set(place 0)
    foreach(source IN LISTS sources_of_${folder})
      math(EXPR unit "${place} / ${size}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${unit}")
      math(EXPR place "${place} + 1")
    endforeach()
  endforeach()
endfunction()
