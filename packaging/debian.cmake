# Debian packages of what is installed: the command `bristle`, the libraries `libbristle-dev`, and `python3-bristle`.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Bristle maintainers <maintainers@bristle.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command development)
if(TARGET bristle_python)
    list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Whatever the umask of who builds.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME bristle)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "real-time multibody dynamics with contact
Simulates mechanisms and machines described in text files: closed loops,
redundant joints, hydraulics and contact, at a constant step. Shows them in
the browser, where they can be grabbed, steered, rewound and recorded.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbristle-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# Static libraries: who links them needs what they stand on.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libfmt-dev, libsuitesparse-dev, libyaml-cpp-dev, libprotobuf-dev, libssl-dev, libzstd-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "real-time multibody dynamics with contact, for C++ programs
Headers and static libraries of Bristle's engine, its scene files and its
viewer, found by CMake and pkg-config.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-bristle)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
# The module is of this Python only. The command brings the scenes and the page.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python3_VERSION_MINOR}~), python3 (<< 3.${next_minor}), python3-numpy, bristle (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-matplotlib)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "real-time multibody dynamics with contact, for Python
Bristle as a Python package: describe a mechanism, or read a scene file, and
get its motion, reactions and contacts as NumPy arrays.")

# What every package says of itself.
string(TIMESTAMP TODAY "%a, %d %b %Y 00:00:00 +0000" UTC)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} COMPONENT)
    set(PACKAGE ${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
    set(changelog ${CMAKE_CURRENT_BINARY_DIR}/${PACKAGE}/changelog)
    configure_file(debian/changelog.in ${changelog} @ONLY)
    compress(${changelog})
    install(FILES ${changelog}.gz debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${PACKAGE}
            COMPONENT ${component})
endforeach()

include(CPack)
