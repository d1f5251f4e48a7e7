# AMD::AMD, the ordering of SuiteSparse, which comes without a CMake file of its own. Installed with Bristle, because
# programs that link Bristle link it too.
find_library(AMD_LIBRARY amd)
find_library(SUITESPARSE_CONFIG_LIBRARY suitesparseconfig)
mark_as_advanced(AMD_LIBRARY SUITESPARSE_CONFIG_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(AMD REQUIRED_VARS AMD_LIBRARY SUITESPARSE_CONFIG_LIBRARY)

if(AMD_FOUND AND NOT TARGET AMD::AMD)
    add_library(AMD::AMD INTERFACE IMPORTED)
    set_target_properties(AMD::AMD PROPERTIES INTERFACE_LINK_LIBRARIES "${AMD_LIBRARY};${SUITESPARSE_CONFIG_LIBRARY}")
endif()
