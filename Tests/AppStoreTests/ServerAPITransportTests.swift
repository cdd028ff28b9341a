import AppStore
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct `a call to Apple on the wire` {
    private func call(_ port: Int, _ method: AppleCall.Method = .get, body: String? = nil) -> AppleCall {
        AppleCall(
            method: method,
            url: "http://127.0.0.1:\(port)/inApps/v1/lookup/x?a=1",
            token: "a.b.c",
            body: body.map { Array($0.utf8) },
            answerLimit: 100
        )
    }

    /// Why `call` brings no answer; nil when it does.
    private func failure(_ call: AppleCall) async -> TransportFailure? {
        do throws(TransportFailure) {
            _ = try await HTTPSTransport().execute(call)
            return nil
        } catch {
            return error
        }
    }

    @Test func `carries method, path, token and body, and brings status, Retry-After and body back`()
        async throws
    {
        let server = try OneAnswerServer(
            "HTTP/1.1 429 Any\r\nRetry-After: 1767225612345\r\nContent-Length: 2\r\n\r\n{}"
        )
        let answer = try await HTTPSTransport().execute(call(server.port, .put, body: #"{"a":1}"#))
        #expect(answer == AppleAnswer(status: 429, retryAfter: "1767225612345", body: Array("{}".utf8)))
        let request = await server.request
        #expect(request.hasPrefix("PUT /inApps/v1/lookup/x?a=1 HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("\r\nauthorization: bearer a.b.c\r\n"))
        #expect(request.lowercased().contains("\r\ncontent-type: application/json\r\n"))
        #expect(request.hasSuffix(#"{"a":1}"#))
    }

    @Test func `follows no redirection, which would carry the token away`() async throws {
        let server = try OneAnswerServer(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(try await HTTPSTransport().execute(call(server.port)).status == 302)
    }

    @Test(arguments: ["Content-Length: 101\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n65\r\n"])
    func `reads no more than the limit`(head: String) async throws {
        let body = String(repeating: "x", count: 101) + (head.hasPrefix("T") ? "\r\n0\r\n\r\n" : "")
        let server = try OneAnswerServer("HTTP/1.1 200 OK\r\n" + head + body)
        #expect(await failure(call(server.port)) == .tooLarge)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"half"])
    func `fails when the connection breaks before or within the answer`(answer: String) async throws {
        let server = try OneAnswerServer(answer)
        #expect(await failure(call(server.port)) == .unreachable)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"half"])
    func `ends in time when the answer does not come, or comes in part`(answer: String) async throws {
        let server = try OneAnswerServer(answer, staysOpen: true)
        var call = call(server.port)
        call.timeout = 200
        // The HTTP client has no limit of its own for a body: without ours this would never end.
        #expect(await failure(call) == .timedOut)
    }

    /// The HTTP client keeps trying to connect until the time is up.
    @Test func `ends in time where nobody listens`() async throws {
        var call = call(1)
        call.timeout = 200
        let failure = await failure(call)
        #expect([.timedOut, .unreachable].contains(failure), "whichever limit is met first")
    }
}

/// A server on a free port that takes one call, keeps its text and gives one answer.
private struct OneAnswerServer {
    struct Failure: Error {}

    let port: Int
    private let received: AsyncStream<String>

    init(_ answer: String, staysOpen: Bool = false) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else { throw Failure() }
        port = Int(UInt16(bigEndian: address.sin_port))
        let (stream, continuation) = AsyncStream<String>.makeStream()
        received = stream
        Thread {
            let connection = accept(listener, nil, nil)
            continuation.yield(Self.read(connection))
            continuation.finish()
            _ = answer.withCString { write(connection, $0, strlen($0)) }
            if staysOpen { Self.awaitEnd(connection) }
            close(connection)
            close(listener)
        }.start()
    }

    /// The text of the call, once it has come.
    var request: String {
        get async {
            for await text in received { return text }
            return ""
        }
    }

    /// Reads until the body is as long as its header says.
    private static func read(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let field = text.lowercased().range(of: "content-length: ")
            let digits = field.map { text[$0.upperBound...].prefix { $0.isNumber } } ?? "0"
            if text[end.upperBound...].utf8.count >= Int(digits) ?? 0 { return text }
        }
    }

    /// Waits until the caller hangs up.
    private static func awaitEnd(_ connection: Int32) {
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
    }
}
