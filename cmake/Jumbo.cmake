# Jumbo units: the sources of a target, compiled together in a few units. Most of a file's compile time goes into the same
# headers and the same template instances as its neighbors', so a build from nothing takes a fraction of the time.
#
# Names in anonymous namespaces must be unique within a namespace of debrief. -DDEBRIEF_JUMBO=OFF compiles file by file:
# clang-tidy wants that, and so does who edits one file over and over.

option(DEBRIEF_JUMBO "Compile sources together" ON)

# Groups a target's sources, in the order of their paths, into units of about the same size: as few as possible of at most
# so many kilobytes. Each unit costs some five seconds before its first line; one of 200 kB takes a minute to optimize.
function(debrief_jumbo target kilobytes)
  if(NOT DEBRIEF_JUMBO)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "^${CMAKE_BINARY_DIR}/") # generated while building
  list(SORT sources)
  set(total 0)
  foreach(source IN LISTS sources)
    file(SIZE "${source}" bytes)
    math(EXPR total "${total} + ${bytes}")
  endforeach()
  math(EXPR units "(${total} + ${kilobytes} * 1000 - 1) / (${kilobytes} * 1000)")
  set(before 0)
  foreach(source IN LISTS sources)
    file(SIZE "${source}" bytes)
    # By a file's middle, so that the last one of a unit may pass the limit by half.
    math(EXPR unit "(${before} + ${bytes} / 2) * ${units} / ${total}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "unit_${unit}")
    math(EXPR before "${before} + ${bytes}")
  endforeach()
endfunction()
