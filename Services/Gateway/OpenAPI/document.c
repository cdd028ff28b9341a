#include "COpenAPI.h"

// A list of numbers in Swift takes the compiler 15 seconds; this takes it none.
static const unsigned char document[] = {
#embed "../openapi.yaml"
};

static const unsigned char operations[] = {
#embed "../operations.yaml"
};

const void *openapi_document(void) { return document; }

size_t openapi_document_length(void) { return sizeof(document); }

const void *operations_document(void) { return operations; }

size_t operations_document_length(void) { return sizeof(operations); }
