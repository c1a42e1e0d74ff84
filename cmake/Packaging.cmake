# `cmake --install` and the `package` target: a relocatable tree of the binary, the libraries it needs, the
# licences of everything in it, and the man page.
