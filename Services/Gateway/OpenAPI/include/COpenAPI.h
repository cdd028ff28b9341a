#pragma once
#include <stddef.h>

/// The bytes of `openapi.yaml`, as they were when this was compiled.
const void *openapi_document(void);

/// How many bytes there are.
size_t openapi_document_length(void);

/// The bytes of `operations.yaml`, in the same way.
const void *operations_document(void);

/// How many bytes there are.
size_t operations_document_length(void);
