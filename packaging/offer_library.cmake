include(GNUInstallDirs)

# Makes bristle_<name> a library for other programs: bristle::<name>, whether they embed Bristle or install it, with the
# headers in the folder `include` beside its CMakeLists.txt.
function(offer_library name)
    set(library bristle_${name})
    add_library(bristle::${name} ALIAS ${library})
    set_target_properties(${library} PROPERTIES EXPORT_NAME ${name}
        # For shared libraries, such as the Python module. Hidden symbols keep calls as direct as in a program.
        POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_features(${library} PUBLIC cxx_std_20)
    target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include)
        target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
        install(DIRECTORY include/ TYPE INCLUDE COMPONENT development FILES_MATCHING PATTERN "*.h")
    endif()
    install(TARGETS ${library} EXPORT bristle-${name} COMPONENT development)
    install(EXPORT bristle-${name} NAMESPACE bristle:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bristle
            COMPONENT development)
endfunction()
