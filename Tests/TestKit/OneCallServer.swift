import Foundation
import Glibc

/// A server on a free port that takes one call, keeps its text and gives one answer.
package struct OneCallServer: Sendable {
    /// What the server does when it has written its answer.
    package enum Afterwards: Sendable {
        case hangsUp
        /// Waits until the caller hangs up.
        case staysOpen
        /// Sends byte after byte until the caller hangs up.
        case trickles
    }

    private struct NoPort: Error {}

    /// Where it listens at 127.0.0.1.
    package let port: Int
    private let received: AsyncStream<String>

    /// Listens, and answers with these bytes; an empty answer is none.
    package init(_ answer: String, then afterwards: Afterwards = .hangsUp) throws {
        let listener: Int32
        (listener, port) = try Self.listen()
        let (stream, continuation) = AsyncStream<String>.makeStream()
        received = stream
        Thread {
            let connection = accept(listener, nil, nil)
            continuation.yield(Self.read(connection))
            continuation.finish()
            _ = answer.withCString { write(connection, $0, strlen($0)) }
            switch afterwards {
            case .hangsUp: break
            case .staysOpen: Self.awaitEnd(connection)
            case .trickles: Self.trickle(connection)
            }
            close(connection)
            close(listener)
        }.start()
    }

    /// The text of the call, once it has come.
    package var request: String {
        get async {
            for await text in received { return text }
            return ""
        }
    }

    private static func listen() throws -> (listener: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 1) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard listens else { throw NoPort() }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
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

    private static func awaitEnd(_ connection: Int32) {
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
    }

    /// Ten bytes a second.
    private static func trickle(_ connection: Int32) {
        var other = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        while poll(&other, 1, 100) == 0, send(connection, "x", 1, Int32(MSG_NOSIGNAL)) == 1 {}
    }
}
