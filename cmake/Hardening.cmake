# What readers parse is untrusted: every build has what compiler and linker offer against the consequences of a mistake.
# tests/golden/test_hardening.py looks for it in the binary.

include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)

# libstdc++'s cheap assertions (an index beyond a vector's end) stay on in release builds.
target_compile_definitions(debrief_compiler INTERFACE _GLIBCXX_ASSERTIONS)

# Sanitizers see what these would stop, and say more of it.
set(hardening_flags -fstack-protector-strong -fstack-clash-protection)
if(DEBRIEF_SANITIZE)
  set(hardening_flags)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND hardening_flags -fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  list(APPEND hardening_flags -mbranch-protection=standard)
endif()
foreach(flag IN LISTS hardening_flags)
  string(MAKE_C_IDENTIFIER "compiler_has${flag}" has)
  check_cxx_compiler_flag(${flag} ${has})
  if(${has})
    target_compile_options(debrief_compiler INTERFACE ${flag})
  endif()
endforeach()

# libc's functions check the sizes of buffers: all that the optimizer can tell (3), or those known while compiling (2).
# Sanitizers check more, and in their own way. Unset first: some systems' compilers set it by themselves.
if(NOT DEBRIEF_SANITIZE)
  set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_cxx_source_compiles("#include <cstdlib>
#if __USE_FORTIFY_LEVEL < 3
#error
#endif
int main() {}" libc_has_fortify_3)
  unset(CMAKE_REQUIRED_FLAGS)
  set(fortify 2)
  if(libc_has_fortify_3)
    set(fortify 3)
  endif()
  target_compile_options(
    debrief_compiler
    INTERFACE "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify}>")
endif()

# The program is loaded anywhere, its tables of functions are read-only before main(), no page is both written and run.
target_compile_options(debrief_compiler INTERFACE -fPIE)
target_link_options(debrief_compiler INTERFACE -pie "LINKER:-z,relro,-z,now,-z,noexecstack,-z,separate-code")
