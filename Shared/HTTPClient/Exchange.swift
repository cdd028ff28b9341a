import CCurl

/// One call under way; the client's thread alone touches it.
final class Exchange {
    typealias Result = Swift.Result<HTTPAnswer, HTTPFailure>
    typealias Reply = AsyncStream<Result>.Continuation

    let id: UInt64
    let handle: UnsafeMutableRawPointer
    let reply: Reply
    /// Until when the rest of the answer is read, of which no more than the head is wanted; nil before that has come.
    private(set) var drainedUntil: ContinuousClock.Instant?

    private var hasHead = false
    private let body: HTTPCall.Body
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var answer = HTTPAnswer(status: 0, body: [])
    private var bodyBytes = 0

    init(_ call: HTTPCall, id: UInt64, _ reply: Reply) {
        guard let handle = curl_easy_init() else { preconditionFailure("libcurl has no memory") }
        (self.id, self.handle, self.reply, body) = (id, handle, reply, call.body)
        set(CURLOPT_URL, call.url)
        ccurl_speak_http_only(handle)
        ccurl_read_certificates_once(handle)
        ccurl_leave_resolver(handle)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, HTTPClient.connectTimeout)
        set(CURLOPT_TIMEOUT_MS, max(1, Int(call.timeout)))
        if let content = call.content {
            set(CURLOPT_POSTFIELDSIZE, content.count)
            // libcurl copies as many bytes as were announced.
            content.withUnsafeBytes { ccurl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        }
        set(CURLOPT_CUSTOMREQUEST, call.method)
        // A large body is sent without asking first.
        headers = curl_slist_append(nil, "Expect:")
        for (name, value) in call.headers { headers = curl_slist_append(headers, "\(name): \(value)") }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_PRIVATE, context)
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Exchange.of(context).takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Exchange.of(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
    }

    /// The call to which libcurl was given this pointer.
    static func of(_ context: UnsafeMutableRawPointer?) -> Exchange {
        guard let context else { preconditionFailure("libcurl gave no context") }
        return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }

    private func set(_ option: CURLoption, _ value: String) { ccurl_set_text(handle, option, value) }

    private func set(_ option: CURLoption, _ value: Int) { ccurl_set_number(handle, option, value) }

    /// Takes a line of the head: the status, a header, or the empty one at its end.
    private func takeHead(_ bytes: UnsafeRawBufferPointer) -> Int {
        // What comes behind the body has the form of headers, too.
        guard !hasHead else { return bytes.count }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            answer = HTTPAnswer(status: ccurl_status(handle), body: [])
        } else if answer.retryAfter == nil, line.lowercased().hasPrefix("retry-after:") {
            let value = line.dropFirst("retry-after:".count).drop { $0.isWhitespace }
            answer.retryAfter = String(value.prefix { !$0.isWhitespace })
        } else if ["\r\n", "\n"].contains(line), answer.status >= 200 {
            hasHead = true
            if case .ignored(_, let time) = body { drainedUntil = .now + .milliseconds(time) }
        }
        return bytes.count
    }

    /// Takes a piece of the body; a return of 0 ends the call.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        bodyBytes += bytes.count
        switch body {
        case .ignored(let limit, _):
            return bodyBytes > limit ? 0 : bytes.count
        case .wanted(let limit):
            guard bodyBytes <= limit else { return 0 }
            answer.body.append(contentsOf: bytes)
            return bytes.count
        }
    }

    /// What the call has brought, once libcurl or the time for draining has ended it.
    func result(_ code: CURLcode) -> Result {
        if code == CURLE_OK && hasHead || drainedUntil != nil { return .success(answer) }
        if case .wanted(let limit) = body, bodyBytes > limit { return .failure(.tooLarge) }
        return .failure(HTTPFailure(code))
    }
}

extension HTTPFailure {
    fileprivate init(_ code: CURLcode) {
        self =
            switch code {
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_URL_MALFORMAT: .notConnected
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
                .notSecured
            case CURLE_OK, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .closed
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR: .broken
            default: .invalid
            }
    }
}
