# SPDX-License-Identifier: BSL-1.0
# Finds (or fetches) what the headers include and gathers it in tidemark::dependencies; used by the build and by the installed package.
# Sets tidemark_missing. All are headers only: xxHash is compiled inline, so nothing of it is linked.
# cereal is for <tidemark/cereal.hpp> alone: only the tests miss it, since a project that uses it has it.
include_guard(DIRECTORY)
set(tidemark_missing "")
find_package(Threads REQUIRED)

# tidemark_find(<variable> <header> <name> <git repository> <commit> <release> <folder of the headers in it>)
# Leaves the include folder in <variable>, or adds <name> to tidemark_missing.
macro(tidemark_find variable header name repository commit release folder)
  find_path(${variable} ${header})
  if(NOT ${variable} AND TIDEMARK_FETCH_DEPENDENCIES)
    include(FetchContent)
    message(STATUS "tidemark: ${header} was not found; fetching ${name} ${release}")
    # A SOURCE_SUBDIR that does not exist: fetch, but never configure or build what was fetched.
    FetchContent_Declare(tidemark_${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit} GIT_SUBMODULES "" SOURCE_SUBDIR headers-only)
    FetchContent_MakeAvailable(tidemark_${name})
    set(${variable} ${tidemark_${name}_SOURCE_DIR}/${folder})
  elseif(NOT ${variable})
    list(APPEND tidemark_missing "${name} (${header})")
  endif()
endmacro()

if(NOT TARGET tidemark::dependencies)
  # A project that already chose a Boost keeps it; otherwise any folder that holds PFR will do.
  find_package(Boost 1.75 QUIET CONFIG COMPONENTS headers)
  if(TARGET Boost::headers)
    get_target_property(tidemark_boost Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
    find_path(TIDEMARK_PFR_INCLUDE boost/pfr/core.hpp HINTS ${tidemark_boost})
  endif()
  tidemark_find(TIDEMARK_PFR_INCLUDE boost/pfr/core.hpp pfr
    https://github.com/boostorg/pfr.git b0bf18798c7037ca8a91a1cd2ad2e5798d8f6d46 boost-1.83.0 include)
  tidemark_find(TIDEMARK_XXHASH_INCLUDE xxhash.h xxhash
    https://github.com/Cyan4973/xxHash.git bbb27a5efb85b92a0486cf361a8635715a53f6ba v0.8.2 .)
  tidemark_find(TIDEMARK_RAPIDJSON_INCLUDE rapidjson/reader.h rapidjson
    https://github.com/Tencent/rapidjson.git f54b0e47a08782a6131cc3d60f94d038fa6e0a51 v1.1.0 include)
  if(TARGET cereal::cereal)
    get_target_property(tidemark_cereal cereal::cereal INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  find_path(TIDEMARK_CEREAL_INCLUDE cereal/cereal.hpp HINTS ${tidemark_cereal})
  if(TIDEMARK_TESTS)
    tidemark_find(TIDEMARK_CEREAL_INCLUDE cereal/cereal.hpp cereal
      https://github.com/USCiLab/cereal.git ebef1e929807629befafbb2918ea1a08c7194554 v1.3.2 include)
  endif()
  mark_as_advanced(TIDEMARK_CEREAL_INCLUDE TIDEMARK_PFR_INCLUDE TIDEMARK_XXHASH_INCLUDE TIDEMARK_RAPIDJSON_INCLUDE)
  if(NOT tidemark_missing)
    set(tidemark_folders ${TIDEMARK_PFR_INCLUDE} ${TIDEMARK_XXHASH_INCLUDE} ${TIDEMARK_RAPIDJSON_INCLUDE})
    if(TIDEMARK_CEREAL_INCLUDE)
      list(APPEND tidemark_folders ${TIDEMARK_CEREAL_INCLUDE})
    endif()
    # IMPORTED, so that its folders are SYSTEM for every user: PFR does not pass -Wshadow.
    add_library(tidemark::dependencies INTERFACE IMPORTED GLOBAL)
    set_target_properties(tidemark::dependencies PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${tidemark_folders}"
      INTERFACE_LINK_LIBRARIES Threads::Threads)
  endif()
endif()
