# Makes a C++ source that defines parley::gateway::files, the files of lists, packed by gzip.
#   cmake "-DFROM=A.list|B.list" -DPACKED=FOLDER -DOUT=FILE.cpp -P embed.cmake
# A line of a list is "PATH|FILE", with "|brotli" where FILE.br is the file by brotli. Files are relative to their list.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" FROM "${FROM}")
set(assembly "")
set(declared "")
set(table "")
set(n 0)
file(REMOVE_RECURSE ${PACKED})
file(MAKE_DIRECTORY ${PACKED})
foreach(list IN LISTS FROM)
  cmake_path(GET list PARENT_PATH folder)
  file(STRINGS ${list} lines)
  foreach(line IN LISTS lines)
    string(REPLACE "|" ";" parts "${line}")
    list(GET parts 0 path)
    list(GET parts 1 file)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${folder})
    set(packed ${PACKED}/${n}.gz)
    execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
    file(SHA256 ${file} digest)
    string(SUBSTRING ${digest} 0 32 digest)
    file(SIZE ${packed} packed_size)
    file(SIZE ${file} size)
    string(APPEND assembly "parley_file_${n}_packed: .incbin \"${packed}\"\n")
    string(APPEND declared "extern const char parley_file_${n}_packed[];\n")
    set(brotli "{}")
    if("brotli" IN_LIST parts)
      file(SIZE ${file}.br brotli_size)
      string(APPEND assembly "parley_file_${n}_brotli: .incbin \"${file}.br\"\n")
      string(APPEND declared "extern const char parley_file_${n}_brotli[];\n")
      set(brotli "{parley_file_${n}_brotli, ${brotli_size}}")
    endif()
    string(APPEND table "    {\"${path}\", \"${digest}\", ${size}, {parley_file_${n}_packed, ${packed_size}}, ${brotli}},\n")
    math(EXPR n "${n} + 1")
  endforeach()
endforeach()
file(WRITE ${OUT}
"// Made by gateway/files/embed.cmake.
#include \"gateway/files/files.hpp\"

asm(R\"(.pushsection .rodata.parley_files,\"a\",@progbits
${assembly}.popsection)\");

extern \"C\" {
#pragma GCC visibility push(hidden)
${declared}#pragma GCC visibility pop
}

namespace parley::gateway {

namespace {
constinit const File table[] = {
${table}};
}  // namespace

constinit const std::span<const File> files(table);

}  // namespace parley::gateway
")
