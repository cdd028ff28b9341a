import Contracts
import Foundation
import Glibc
import Program
import Testing

@testable import Notifications

@Suite(.timeLimit(.minutes(5))) struct `a webhook on the wire` {
    @Test(arguments: [204, 503]) func `is one signed POST, and its status comes back`(
        status: Int
    ) async throws {
        let server = try OneCallServer(answer: "HTTP/1.1 \(status) Any\r\nContent-Length: 0\r\n\r\n")
        let endpoint = Configuration.Webhook(
            url: "http://127.0.0.1:\(server.port)/hook?a=b",
            secret: "a-secret-of-16-bytes"
        )
        let call = WebhookCall(endpoint, timestamp: 1_760_000_001, body: #"{"id":"e1"}"#)
        #expect(try await HTTPWebhookPoster().post(call) == status)
        let request = await server.request
        #expect(request.hasPrefix("POST /hook?a=b HTTP/1.1\r\n"))
        for header in call.headers {
            #expect(request.lowercased().contains("\r\n\(header.name): \(header.value)\r\n".lowercased()))
        }
        #expect(request.hasSuffix("\r\n\r\n" + call.body))
    }

    @Test func `that is redirected goes nowhere else`() async throws {
        let server = try OneCallServer(
            answer: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        )
        let endpoint = Configuration.Webhook(
            url: "http://127.0.0.1:\(server.port)/",
            secret: "a-secret-of-16-bytes"
        )
        #expect(try await HTTPWebhookPoster().post(WebhookCall(endpoint, timestamp: 1, body: "{}")) == 302)
    }

    @Test func `is over when its status has come, though the rest of the answer never does`() async throws {
        let server = try OneCallServer(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\nx",
            trickles: true
        )
        let url = "http://127.0.0.1:\(server.port)/"
        let call = WebhookCall(.init(url: url, secret: "a-secret-of-16-bytes"), timestamp: 1, body: "{}")
        // The body would take hours; the suite has minutes.
        #expect(try await HTTPWebhookPoster().post(call) == 200)
    }

    @Test func `to a server that is down fails without a status`() async throws {
        let server = try OneCallServer(answer: "")
        let url = "http://127.0.0.1:\(server.port)/"
        let call = WebhookCall(.init(url: url, secret: "a-secret-of-16-bytes"), timestamp: 1, body: "{}")
        await #expect(throws: (any Error).self) { try await HTTPWebhookPoster().post(call) }
    }
}

/// A server on a free port that takes one call, keeps its text and gives one answer.
private struct OneCallServer {
    struct Failure: Error {}

    let port: Int
    private let received: AsyncStream<String>

    /// One that trickles sends byte after byte until the caller hangs up.
    init(answer: String, trickles: Bool = false) throws {
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
            if trickles { Self.trickle(connection) }
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

    /// Ten bytes a second, until the other side is gone.
    private static func trickle(_ connection: Int32) {
        var other = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        while poll(&other, 1, 100) == 0, send(connection, "x", 1, Int32(MSG_NOSIGNAL)) == 1 {}
    }

    /// Reads until the body is as long as its header says.
    private static func read(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n"),
                let field = text.lowercased().range(of: "content-length: ")
            else { continue }
            let expected = Int(text[field.upperBound...].prefix { $0.isNumber }) ?? 0
            if text[end.upperBound...].utf8.count >= expected { return text }
        }
    }
}
