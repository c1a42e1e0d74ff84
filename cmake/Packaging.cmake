# `cmake --install` and the `package` target: a relocatable tree of the binary, the libraries it needs, the
# licenses of everything in it, and the man page. Only glibc is taken from the machine it runs on.

include(GNUInstallDirs)
set(debrief_libdir "${CMAKE_INSTALL_LIBDIR}/debrief")

# RPATH, not RUNPATH: it also holds for what the bundled libraries themselves need. It is linked in as it stands, and cut at
# install time: what CMake would link for the build tree ends with an empty entry, which the loader takes for the current
# folder, and that can be a stranger's.
set(debrief_rpath "$ORIGIN/../${debrief_libdir}")
set_target_properties(debrief PROPERTIES INSTALL_RPATH "${debrief_rpath}" INSTALL_RPATH_USE_LINK_PATH ON
                                         BUILD_WITH_INSTALL_RPATH ON)
target_link_options(debrief PRIVATE -Wl,--disable-new-dtags)
# What writes tables lies with the libraries: nobody starts it but debrief.
set_target_properties(debrief-tables PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON
                                                BUILD_WITH_INSTALL_RPATH ON)
target_link_options(debrief-tables PRIVATE -Wl,--disable-new-dtags)

install(
  TARGETS debrief
  RUNTIME_DEPENDENCY_SET debrief_libraries
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(
  TARGETS debrief-tables
  RUNTIME_DEPENDENCY_SET debrief_libraries
  RUNTIME DESTINATION "${debrief_libdir}")
install(CODE "file(RPATH_SET FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/debrief\"
     NEW_RPATH [[${debrief_rpath}]])
file(RPATH_SET FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${debrief_libdir}/debrief-tables\" NEW_RPATH [[$ORIGIN]])")
install(
  RUNTIME_DEPENDENCY_SET
  debrief_libraries
  PRE_EXCLUDE_REGEXES
  "^ld-linux"
  "^lib(c|m|dl|rt|pthread|resolv)\\.so"
  POST_EXCLUDE_REGEXES
  "/ld-linux[^/]*$"
  LIBRARY
  DESTINATION
  "${debrief_libdir}")

install(FILES "${CMAKE_SOURCE_DIR}/docs/debrief.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" "${CMAKE_SOURCE_DIR}/CHANGELOG.md"
              "${CMAKE_SOURCE_DIR}/docs/config.schema.json" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Licenses: of npm packages in the page's script, of Arrow, and of every Debian package whose library or header is
# in the binary or beside it.
install(CODE "set(debrief_script_licenses \"${DEBRIEF_SCRIPT_LICENSES}\")
set(debrief_arrow_licenses \"${DEBRIEF_ARROW_LICENSES}\")
set(debrief_architecture \"${CMAKE_LIBRARY_ARCHITECTURE}\")
set(debrief_inja_include \"${INJA_INCLUDE_DIR}\")
set(debrief_libraries_folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${debrief_libdir}\")
set(debrief_licenses_folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/licenses\")")
install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/CollectLicenses.cmake")

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME debrief)
set(CPACK_PACKAGE_VENDOR debrief)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME "debrief-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
include(CPack)
