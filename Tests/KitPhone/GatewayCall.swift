import CounterfoilClient
import FoundationEssentials
import Glibc

/// Where the gateway listens.
struct GatewayAddress: Sendable {
    let host: String
    let port: String

    /// Of `http://host:port`.
    ///
    /// - Throws: `WrongStart` where it is none.
    init(_ url: String) throws {
        let parts = url.split(separator: ":")
        guard parts.count == 3, parts[0] == "http", parts[1].hasPrefix("//"), Int(parts[2]) != nil else {
            throw WrongStart(description: "COUNTERFOIL_GATEWAY is not http://host:port, but \(url)")
        }
        (host, port) = (String(parts[1].dropFirst(2)), String(parts[2]))
    }
}

/// One request on a connection of its own; whoever makes it waits on its thread.
struct GatewayCall {
    /// Why there is no answer.
    struct Fault: Error {
        let call: String
    }

    private static let headEnd = Data("\r\n\r\n".utf8)

    private let address: GatewayAddress
    private let request: HTTPTransportRequest

    init(_ address: GatewayAddress, _ request: HTTPTransportRequest) {
        (self.address, self.request) = (address, request)
    }

    /// The answer, whole.
    ///
    /// - Throws: `Fault`.
    func answer() throws(Fault) -> HTTPTransportAnswer {
        let file = try connection()
        defer { close(file) }
        try send(to: file)
        return try receive(from: file)
    }

    private func connection() throws(Fault) -> Int32 {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, address.port, &hints, &found) == 0, let first = found?.pointee else {
            throw Fault(call: "getaddrinfo")
        }
        defer { freeaddrinfo(found) }
        let file = socket(first.ai_family, first.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { throw Fault(call: "socket") }
        var limit = timeval()
        limit.tv_sec = Int(request.timeoutMilliseconds / 1_000)
        limit.tv_usec = Int(request.timeoutMilliseconds % 1_000) * 1_000
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(file, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(file, first.ai_addr, first.ai_addrlen) == 0 else {
            close(file)
            throw Fault(call: "connect")
        }
        return file
    }

    private func send(to file: Int32) throws(Fault) {
        var fields = request.headers
        fields["Host"] = "\(address.host):\(address.port)"
        fields["Connection"] = "close"
        if let body = request.body { fields["Content-Length"] = "\(body.count)" }
        let lines = ["\(request.method) \(request.path) HTTP/1.1"] + fields.map { "\($0.key): \($0.value)" }
        var rest = (Data(lines.joined(separator: "\r\n").utf8) + Self.headEnd + (request.body ?? Data()))[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Fault(call: "send") }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(from file: Int32) throws(Fault) -> HTTPTransportAnswer {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Fault(call: "recv") }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard let end = bytes.firstRange(of: Self.headEnd) else {
            throw Fault(call: "an answer without an end")
        }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let fields = Dictionary(head.dropFirst().compactMap(Self.field)) { $1 }
        let words = (head.first ?? "").split(separator: " ")
        let body = Data(bytes[end.upperBound...])
        guard words.count > 1, let status = Int(words[1]), fields["transfer-encoding"] == nil,
            fields["content-length"].flatMap({ Int($0) }) ?? body.count == body.count
        else { throw Fault(call: "an answer that is cut off") }
        return HTTPTransportAnswer(
            status: status,
            retryAfter: fields["retry-after"],
            date: fields["date"],
            body: body
        )
    }

    /// A field's name in lower case, and its value.
    private static func field(_ line: String) -> (String, String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return (line[..<colon].lowercased(), String(value))
    }
}
