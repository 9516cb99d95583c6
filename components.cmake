# SPDX-License-Identifier: BSL-1.0
# Makes the targets of the optional components whose libraries are here; used by the build and by the installed package.
# Reads tidemark_components: which of zstd and openssl to look for. One that is not found has no target tidemark::<name>, and no word is said.
function(tidemark_find_components)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # a target made in a subdirectory is linked by those above it
  if("zstd" IN_LIST tidemark_components AND NOT TARGET tidemark::zstd)
    find_package(zstd QUIET CONFIG)
    find_package(PkgConfig QUIET)
    if(NOT zstd_FOUND AND PkgConfig_FOUND)
      pkg_check_modules(tidemark_zstd QUIET IMPORTED_TARGET GLOBAL libzstd>=1.4)
    endif()
    # What its own package calls the library differs with how it was built.
    foreach(library zstd::libzstd zstd::libzstd_shared zstd::libzstd_static PkgConfig::tidemark_zstd)
      if(TARGET ${library} AND NOT TARGET tidemark::zstd)
        add_library(tidemark::zstd INTERFACE IMPORTED GLOBAL)
        target_link_libraries(tidemark::zstd INTERFACE tidemark::tidemark ${library})
      endif()
    endforeach()
  endif()

  if("openssl" IN_LIST tidemark_components AND NOT TARGET tidemark::openssl)
    find_package(OpenSSL 1.1 QUIET COMPONENTS Crypto)
    if(TARGET OpenSSL::Crypto)
      add_library(tidemark::openssl INTERFACE IMPORTED GLOBAL)
      target_link_libraries(tidemark::openssl INTERFACE tidemark::tidemark OpenSSL::Crypto)
    endif()
  endif()
endfunction()
tidemark_find_components()
