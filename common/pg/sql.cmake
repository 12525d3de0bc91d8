# SQL files become C++: one query a file, as pg::Statement or pg::Variants, and numbered migrations as pg::Migration.
# Included, it defines the two functions; run with `cmake -P`, it writes the files (see the end).

set(PARLEY_SQL_SCRIPT ${CMAKE_CURRENT_LIST_FILE} CACHE INTERNAL "sql.cmake, for folders that it was not included in")

# parley_sql(target namespace folder): every `folder/sql/*.sql` (or `folder/*.sql`, if folder is itself called sql)
# becomes `extern const parley::pg::Statement NAME;` in the namespace, declared in "<folder>/sql.hpp", where folder is
# spelled as includes spell it: contacts/lists/sql.hpp, common/events/sql.hpp.
#   -- read(organization_id uuid, ids uuid[])       the file's first line: the lane and the types of $1, $2 ..
# A file with /*if NAME*/ .. /*else*/ .. /*end*/ becomes a `parley::pg::Variants`; /*include NAME*/ stands for the text of
# NAME.fragment beside it, for what several statements must say alike.
# A statement is called after the namespace and the file: parley::contacts::lists + find.sql = contacts.lists.find; a
# last part `sql` of the namespace is left out.
function(parley_sql target namespace folder)
  parley_embed(statements ${target} ${namespace} ${folder} sql)
endfunction()

# parley_migrations(target namespace folder): every `folder/NNNN_name.sql` goes into `extern const
# std::span<const parley::pg::Migration> migrations;` in the namespace, declared in "<folder>/migrations.hpp", or
# "<folder>.hpp" if the folder is itself called migrations.
function(parley_migrations target namespace folder)
  parley_embed(migrations ${target} ${namespace} ${folder} migrations)
endfunction()

function(parley_embed kind target namespace folder name)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE files)
  cmake_path(GET files FILENAME last)
  if(NOT last STREQUAL name)
    set(files ${files}/${name})
  endif()
  cmake_path(GET files PARENT_PATH owner)
  set(root ${CMAKE_SOURCE_DIR})
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR ${owner} is_ours)
  if(NOT is_ours)
    set(root ${CMAKE_CURRENT_SOURCE_DIR})
  elseif(owner MATCHES "^${CMAKE_SOURCE_DIR}/services/")
    set(root ${CMAKE_SOURCE_DIR}/services)
  endif()
  cmake_path(RELATIVE_PATH owner BASE_DIRECTORY ${root} OUTPUT_VARIABLE include_folder)
  set(out ${CMAKE_BINARY_DIR}/generated/${include_folder})
  file(GLOB sources CONFIGURE_DEPENDS ${files}/*.sql)
  file(GLOB fragments CONFIGURE_DEPENDS ${files}/*.fragment)
  if(NOT sources)
    message(FATAL_ERROR "no .sql files in ${files}")
  endif()
  get_property(known GLOBAL PROPERTY PARLEY_EMBEDDED_${out}/${name})
  if(NOT known)
    add_custom_command(
      OUTPUT ${out}/${name}.hpp ${out}/${name}.cpp
      COMMAND ${CMAKE_COMMAND} -D KIND=${kind} -D NAMESPACE=${namespace} -D FOLDER=${files}
              -D INCLUDE=${include_folder}/${name}.hpp -D OUT=${out}/${name} -P ${PARLEY_SQL_SCRIPT}
      DEPENDS ${sources} ${fragments} ${PARLEY_SQL_SCRIPT}
      COMMENT "Embedding ${include_folder}/${name}"
      VERBATIM)
    set_property(GLOBAL PROPERTY PARLEY_EMBEDDED_${out}/${name} TRUE)
  endif()
  target_sources(${target} PRIVATE ${out}/${name}.cpp ${out}/${name}.hpp)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
  target_link_libraries(${target} PUBLIC parley_pg)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE OR NOT DEFINED KIND)
  return()
endif()

# ---- cmake -D KIND= -D NAMESPACE= -D FOLDER= -D INCLUDE= -D OUT= -P sql.cmake ---------------------------------------

cmake_minimum_required(VERSION 3.25)
set(known_types uuid text varchar bytea json jsonb int2 int4 int8 float8 bool timestamptz
    uuid[] text[] varchar[] bytea[] json[] jsonb[] int2[] int4[] int8[] float8[] bool[] timestamptz[])

# Sets `result` to the C++ constants of "organization_id uuid, ids uuid[]", and `result_count`.
function(types_of parameters file result)
  string(REGEX REPLACE "\n *--" " " parameters "${parameters}")
  string(REPLACE "," ";" parameters "${parameters}")
  set(constants "")
  set(count 0)
  foreach(parameter IN LISTS parameters)
    string(STRIP "${parameter}" parameter)
    if(NOT parameter MATCHES "^[a-z][a-z0-9_]* +([a-z0-9]+)(\\[\\])?$")
      message(FATAL_ERROR "${file}: '${parameter}' is not 'name type'")
    endif()
    set(type ${CMAKE_MATCH_1})
    set(array "${CMAKE_MATCH_2}")
    if(NOT "${type}${array}" IN_LIST known_types)
      message(FATAL_ERROR "${file}: unknown type '${type}${array}'; an enumeration is text, cast in the query")
    endif()
    if(type STREQUAL bool)
      set(type boolean)
    endif()
    if(array)
      string(APPEND type _array)
    endif()
    string(APPEND constants "parley::pg::oid::${type}, ")
    math(EXPR count "${count} + 1")
  endforeach()
  string(REGEX REPLACE ", $" "" constants "${constants}")
  set(${result} "${constants}" PARENT_SCOPE)
  set(${result}_count ${count} PARENT_SCOPE)
endfunction()

# The highest n of $n.
function(highest_parameter sql result)
  string(REGEX MATCHALL "\\$[0-9]+" uses "${sql}")
  set(highest 0)
  foreach(use IN LISTS uses)
    string(SUBSTRING ${use} 1 -1 number)
    if(number GREATER highest)
      set(highest ${number})
    endif()
  endforeach()
  set(${result} ${highest} PARENT_SCOPE)
endfunction()

# The raw string of a text, split where it is longer than compilers must take.
function(quote text result)
  if(text MATCHES "\\)sql\"")
    message(FATAL_ERROR "${FOLDER}: )sql\" cannot be embedded")
  endif()
  set(quoted "")
  string(LENGTH "${text}" left)
  set(at 0)
  while(left GREATER 0)
    string(SUBSTRING "${text}" ${at} 16000 piece)
    string(APPEND quoted "R\"sql(${piece})sql\"\n")
    math(EXPR at "${at} + 16000")
    math(EXPR left "${left} - 16000")
  endwhile()
  set(${result} "${quoted}" PARENT_SCOPE)
endfunction()

file(GLOB sources ${FOLDER}/*.sql)
list(SORT sources COMPARE NATURAL)
set(declarations "")
set(definitions "")

if(KIND STREQUAL statements)
  string(REGEX REPLACE "^parley::" "" prefix ${NAMESPACE})
  string(REGEX REPLACE "::sql$" "" prefix ${prefix})
  string(REPLACE "::" "." prefix ${prefix})
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
      message(FATAL_ERROR "${source}: the name must be in snake_case")
    endif()
    file(READ ${source} text)
    if(NOT text MATCHES "^-- (read|write|slow)\\(([^)]*)\\)[^\n]*\n(.*)$")
      message(FATAL_ERROR "${source}: the first line must be '-- read|write|slow(name type, ...)'")
    endif()
    set(lane ${CMAKE_MATCH_1})
    set(parameters "${CMAKE_MATCH_2}")
    set(sql "${CMAKE_MATCH_3}")
    while(sql MATCHES "/\\*include ([a-z0-9_]+)\\*/")
      file(READ ${FOLDER}/${CMAKE_MATCH_1}.fragment fragment)
      string(STRIP "${fragment}" fragment)
      string(REPLACE "/*include ${CMAKE_MATCH_1}*/" "${fragment}" sql "${sql}")
    endwhile()
    string(STRIP "${sql}" sql)
    string(REGEX REPLACE "\;$" "" sql "${sql}")
    types_of("${parameters}" ${source} types)
    highest_parameter("${sql}" highest)
    if(NOT highest EQUAL types_count)
      message(FATAL_ERROR "${source}: declares ${types_count} parameters, the query uses up to $${highest}")
    endif()
    set(class Statement)
    if(sql MATCHES "/\\*if ")
      set(class Variants)
    endif()
    quote("${sql}" sql)
    string(APPEND declarations "extern const parley::pg::${class} ${name};\n")
    string(APPEND definitions "const parley::pg::${class} ${name}(\"${prefix}.${name}\",\n    ${sql},\n"
                              "    parley::pg::Lane::${lane}, {${types}});\n")
  endforeach()
  set(header common/pg/statement.hpp)
else()
  set(expected 1)
  set(files "")
  foreach(source IN LISTS sources)
    cmake_path(GET source FILENAME name)
    if(NOT name MATCHES "^([0-9][0-9][0-9][0-9])_[a-z0-9_]+\\.sql$")
      message(FATAL_ERROR "${source}: the name must be NNNN_name.sql")
    endif()
    string(REGEX REPLACE "^0+" "" version ${CMAKE_MATCH_1})
    if(NOT version STREQUAL expected)
      message(FATAL_ERROR "${source}: expected number ${expected}; migrations are numbered from 0001 without gaps")
    endif()
    file(READ ${source} text)
    quote("${text}" sql)
    string(APPEND files "    {${version}, \"${name}\",\n     ${sql}},\n")
    math(EXPR expected "${expected} + 1")
  endforeach()
  string(APPEND declarations "extern const std::span<const parley::pg::Migration> migrations;\n")
  string(APPEND definitions "static const parley::pg::Migration files[] = {\n${files}};\n"
                            "const std::span<const parley::pg::Migration> migrations(files);\n")
  set(header common/pg/migrate.hpp)
endif()

file(WRITE ${OUT}.hpp.new "// Generated from ${INCLUDE}'s .sql files.\n#pragma once\n#include \"${header}\"\n\n"
                          "namespace ${NAMESPACE} {\n${declarations}}  // namespace ${NAMESPACE}\n")
file(COPY_FILE ${OUT}.hpp.new ${OUT}.hpp ONLY_IF_DIFFERENT)
file(REMOVE ${OUT}.hpp.new)
file(WRITE ${OUT}.cpp "// Generated.\n#include \"${INCLUDE}\"\n\n"
                      "namespace ${NAMESPACE} {\n${definitions}}  // namespace ${NAMESPACE}\n")
