# What of the gateway is built with npm: its packages are installed into the build tree, without their scripts.

# Installs the packages of this directory's package-lock.json into a folder, unless they are there. Sets `found`.
function(install_packages packages)
  file(SHA256 ${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json wanted)
  set(stamp ${packages}/installed)
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
    if(installed STREQUAL wanted)
      set(found ON PARENT_SCOPE)
      return()
    endif()
  endif()
  file(REMOVE ${stamp})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
  message(STATUS "Installing the packages of ${name}")
  file(COPY package.json package-lock.json .npmrc DESTINATION ${packages})
  execute_process(COMMAND ${PARLEY_NPM} ci --omit=dev --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-timeout=60000
                  WORKING_DIRECTORY ${packages} TIMEOUT 300
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0)
    file(WRITE ${stamp} ${wanted})
    set(found ON PARENT_SCOPE)
  else()
    set(found OFF PARENT_SCOPE)
    message(STATUS "npm ci failed (${result}): ${output}")
  endif()
endfunction()

# Sets `found`: whether this directory can be built, its packages being in the folder. OPTION is the name of a variable that says
# ON, OFF, or AUTO: ON where npm has the packages. WITHOUT says what a build has in its place.
function(find_packages option packages without)
  set(found OFF)
  if(${option})
    find_program(PARLEY_NPM npm)
    find_program(PARLEY_NODE NAMES node nodejs)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS package-lock.json)
    if(PARLEY_NPM AND PARLEY_NODE)
      install_packages(${packages})
    else()
      message(STATUS "npm is not found")
    endif()
    if(NOT found AND ${option} STREQUAL "AUTO")
      message(STATUS "${without}: see above. To try again: cmake ${CMAKE_BINARY_DIR}")
    elseif(NOT found)
      message(FATAL_ERROR "${option}=${${option}} takes the packages: see above. Without them: -D${option}=OFF or AUTO")
    endif()
  endif()
  set(found ${found} PARENT_SCOPE)
endfunction()

# Embeds the files of a list (embed.cmake) into the gateway; what follows it are the files that the list and its files are made from,
# or a target that makes them.
function(embed list)
  set_property(GLOBAL APPEND PROPERTY PARLEY_EMBEDDED ${list})
  set_property(GLOBAL APPEND PROPERTY PARLEY_EMBEDDED_DEPENDS ${list} ${ARGN})
endfunction()
