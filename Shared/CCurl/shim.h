#include <curl/curl.h>

// Swift does not import functions with a variable number of arguments, nor macros that are not constants.

// An option with a value of its type is never refused but for want of memory.

static inline void ccurl_set_number(CURL *call, CURLoption option, long value) {
    curl_easy_setopt(call, option, value);
}

static inline void ccurl_set_text(CURL *call, CURLoption option, const char *value) {
    curl_easy_setopt(call, option, value);
}

static inline void ccurl_set_bytes(CURL *call, CURLoption option, const void *value) {
    curl_easy_setopt(call, option, value);
}

static inline void ccurl_set_pointer(CURL *call, CURLoption option, void *value) {
    curl_easy_setopt(call, option, value);
}

/// HTTP and HTTPS alone: a URL of another scheme is refused.
static inline void ccurl_speak_http_only(CURL *call) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(call, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(call, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// A folder of certificates is read anew for each connection, a file once for all: where there is a file, it is enough.
static inline void ccurl_read_certificates_once(CURL *call) {
#if LIBCURL_VERSION_NUM >= 0x074600
    if (curl_version_info(CURLVERSION_NOW)->cainfo) curl_easy_setopt(call, CURLOPT_CAPATH, NULL);
#endif
}

/// A call that ends does not wait for a name server that hangs.
static inline void ccurl_leave_resolver(CURL *call) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(call, CURLOPT_QUICK_EXIT, 1L);
#endif
}

typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// `receiver` gets each line of the head, or each piece of the body; another return than `count` ends the call.
static inline void ccurl_set_receiver(CURL *call, CURLoption option, ccurl_receiver receiver) {
    curl_easy_setopt(call, option, receiver);
}

static inline long ccurl_status(CURL *call) {
    long status = 0;
    curl_easy_getinfo(call, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// What was set as `CURLOPT_PRIVATE` of the next call that has ended, and how it did; a null pointer if there is none.
static inline void *ccurl_next_ended(CURLM *client, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(client, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        void *context = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
        return context;
    }
    return NULL;
}
