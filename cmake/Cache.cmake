# With ccache, what was compiled before is taken from it: in another clone too, whose paths differ, hence the base
# folder. The precompiled headers are part of what it compares. Whether there is one is decided when a build folder is
# made: one that is installed later would change every command line, and so compile all of it again.

if(NOT DEFINED DEBRIEF_CCACHE)
  find_program(ccache_found ccache)
  if(NOT ccache_found)
    set(ccache_found "")
  endif()
  set(DEBRIEF_CCACHE "${ccache_found}" CACHE STRING "The ccache to compile with; empty: none")
  unset(ccache_found CACHE)
endif()
if(DEBRIEF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;CCACHE_SLOPPINESS=pch_defines,time_macros;${DEBRIEF_CCACHE}")
endif()
