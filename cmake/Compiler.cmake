# Language, warnings, hardening (Hardening.cmake) and sanitizers, as one interface target that all of debrief links.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "debrief needs g++ 12 or later (found ${CMAKE_CXX_COMPILER_VERSION}): it is C++20 throughout.")
endif()

add_library(debrief_compiler INTERFACE)
target_compile_features(debrief_compiler INTERFACE cxx_std_20)
set(CMAKE_CXX_EXTENSIONS OFF)

target_compile_options(
  debrief_compiler
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
            -Wcast-align -Woverloaded-virtual -Wformat=2
            # g++ 12 takes correct std::string code for an overlapping copy (GCC bug 105329).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# Warnings are errors with the compiler that the sources are kept clean with; a newer one may know more of them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # What the optimizer guesses differs from level to level, and is often wrong about libstdc++: it only warns.
  target_compile_options(
    debrief_compiler
    INTERFACE -Werror -Wno-error=maybe-uninitialized -Wno-error=stringop-overflow -Wno-error=stringop-overread
              -Wno-error=array-bounds -Wno-error=free-nonheap-object -Wno-error=dangling-pointer)
endif()

# g++ collects its garbage from 128 MB on, again and again: with half a gigabyte a build takes a tenth less.
target_compile_options(debrief_compiler INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

# arm64 would fuse a*b+c into one rounding, and figures would differ from x86-64's (and numpy's) in the last bit.
target_compile_options(debrief_compiler INTERFACE -ffp-contract=off)

include(Hardening)

# What is looked at by the sanitizers links this, too; what links that gets their runtime alone.
add_library(debrief_sanitized INTERFACE)
if(DEBRIEF_SANITIZE)
  # What the address sanitizer finds anyway is left out of the undefined-behavior one: a fifth of the build's time.
  target_compile_options(
    debrief_sanitized INTERFACE -fsanitize=${DEBRIEF_SANITIZE} -fno-sanitize=null,object-size,vptr -fno-omit-frame-pointer
                                -fno-sanitize-recover=all)
  target_link_options(debrief_sanitized INTERFACE -fsanitize=${DEBRIEF_SANITIZE})
endif()
