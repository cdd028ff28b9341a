import TestKit
import Testing

@testable import AppStore

@Suite(.timeLimit(.minutes(5))) struct `a call to Apple on the wire` {
    private func call(
        _ port: Int,
        _ method: AppleHTTPRequest.Method = .get,
        body: String? = nil
    ) -> AppleHTTPRequest {
        AppleHTTPRequest(
            method: method,
            url: "http://127.0.0.1:\(port)/inApps/v1/lookup/x?a=1",
            token: "a.b.c",
            body: body.map { Array($0.utf8) },
            responseLimit: 100
        )
    }

    /// Why `call` brings no answer; nil when it does.
    private func failure(_ call: AppleHTTPRequest) async -> TransportFailure? {
        do throws(TransportFailure) {
            _ = try await HTTPTransport().execute(call)
            return nil
        } catch {
            return error
        }
    }

    @Test func `carries method, path, token and body, and brings status, Retry-After and body back`()
        async throws
    {
        let server = try OneCallServer(
            "HTTP/1.1 429 A\r\nRetry-After: 1767225612345\r\nContent-Length: 2\r\n\r\n{}"
        )
        let answer = try await HTTPTransport().execute(call(server.port, .put, body: #"{"a":1}"#))
        #expect(answer == AppleHTTPResponse(status: 429, retryAfter: "1767225612345", body: Array("{}".utf8)))
        let request = await server.request
        #expect(request.hasPrefix("PUT /inApps/v1/lookup/x?a=1 HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("\r\nauthorization: bearer a.b.c\r\n"))
        #expect(request.lowercased().contains("\r\ncontent-type: application/json\r\n"))
        #expect(request.hasSuffix(#"{"a":1}"#))
    }

    @Test func `follows no redirection, which would carry the token away`() async throws {
        let server = try OneCallServer(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(try await HTTPTransport().execute(call(server.port)).status == 302)
    }

    @Test(arguments: ["Content-Length: 101\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n65\r\n"])
    func `reads no more than the limit`(head: String) async throws {
        let body = String(repeating: "x", count: 101) + (head.hasPrefix("T") ? "\r\n0\r\n\r\n" : "")
        let server = try OneCallServer("HTTP/1.1 200 OK\r\n" + head + body)
        #expect(await failure(call(server.port)) == .tooLarge)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nAcc", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"half"])
    func `fails when the connection breaks before or within the answer`(answer: String) async throws {
        let server = try OneCallServer(answer)
        #expect(await failure(call(server.port)) == .unreachable)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"half"])
    func `ends in time when the answer does not come, or comes in part`(answer: String) async throws {
        let server = try OneCallServer(answer, then: .staysOpen)
        var call = call(server.port)
        call.timeout = 200
        #expect(await failure(call) == .timedOut)
    }

    @Test func `ends in time where nobody listens`() async throws {
        var call = call(1)
        call.timeout = 200
        let failure = await failure(call)
        #expect([.timedOut, .unreachable].contains(failure), "whichever limit is met first")
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"])
    func `is given up when nobody waits for the response any more`(answer: String) async throws {
        let server = try OneCallServer(answer, then: .staysOpen)
        await withTaskGroup(of: TransportFailure?.self) { group in
            group.addTask { await failure(call(server.port)) }
            _ = await server.request
            group.cancelAll()
            #expect(await group.next() == .cancelled)
        }
    }

    @Test func `to an OCSP responder is posted as what it is, and brings no answer above 1 MiB`() async throws
    {
        let recorder = OCSPRecorder(over: HTTPTransport())
        for (count, reason) in [(6, nil), (1_048_577, .noResponse(.tooLarge))] as [(Int, UnknownRevocation?)]
        {
            let body = String(repeating: "x", count: count)
            let server = try OneCallServer("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" + body)
            let url = "http://127.0.0.1:\(server.port)/ca"
            _ = await recorder.query(request: Array("question".utf8), uri: url)
            #expect(recorder.outcomes.last == .some(reason))
            let request = await server.request
            #expect(request.hasPrefix("POST /ca HTTP/1.1\r\n"))
            #expect(request.lowercased().contains("\r\ncontent-type: application/ocsp-request\r\n"))
            #expect(request.hasSuffix("\r\n\r\nquestion"))
        }
        #expect(recorder.outcomes.count == 2)
    }
}
