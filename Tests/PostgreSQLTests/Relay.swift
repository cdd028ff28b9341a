import Foundation

/// A way to a server that cuts, drops or delays at one message of PostgreSQL's protocol.
final class Relay: @unchecked Sendable {  // A lock guards what threads share.
    enum Side: Sendable { case client, server }

    enum Mischief: Sendable, CaseIterable {
        /// Both connections end before the message is passed on.
        case cutBefore
        case cutAfter
        /// It and everything behind it is taken and never passed on, in this direction.
        case drop
        /// It is passed on after 300 ms.
        case delay
    }

    struct Rule: Sendable, CustomStringConvertible {
        let side: Side
        /// The message's first byte.
        let message: Character
        let mischief: Mischief

        var description: String { "\(mischief) \(message) of the \(side)" }
    }

    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let lock = NSLock()
    private var rule: Rule?
    private var used = 0

    init(to target: UInt16) throws {
        let (socket, port) = try Self.listen()
        (listener, self.port, self.target) = (socket, port, target)
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                self.serve(client)
            }
        }
    }

    /// The connections that there are go on.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Does this once, at the next such message.
    func arm(_ rule: Rule) { lock.withLock { self.rule = rule } }

    /// How often a rule was met.
    var timesUsed: Int { lock.withLock { used } }

    private func take(_ side: Side, _ message: UInt8) -> Mischief? {
        lock.withLock {
            guard let rule, rule.side == side, rule.message.asciiValue == message else { return nil }
            self.rule = nil
            used += 1
            return rule.mischief
        }
    }

    private func serve(_ client: Int32) {
        guard let server = Self.connect(target) else {
            close(client)
            return
        }
        for (side, from, to) in [(Side.client, client, server), (.server, server, client)] {
            Thread.detachNewThread { [self] in
                pump(side, from, to)
                for socket in [client, server] { shutdown(socket, Int32(SHUT_RDWR)) }
            }
        }
    }

    /// Passes on whole messages; the client's first one has no letter.
    private func pump(_ side: Side, _ from: Int32, _ to: Int32) {
        var isFirst = side == .client
        while let message = Self.message(from, hasLetter: !isFirst) {
            let mischief = isFirst ? nil : take(side, message[0])
            isFirst = false
            switch mischief {
            case .cutBefore: return
            case .drop:
                while Self.message(from, hasLetter: true) != nil {}
                return
            case .delay:
                var nothing = pollfd(fd: -1, events: 0, revents: 0)
                poll(&nothing, 1, 300)
            case .cutAfter, nil: break
            }
            guard Self.write(message, to: to) else { return }
            if case .cutAfter = mischief { return }
        }
    }

    private static func message(_ socket: Int32, hasLetter: Bool) -> [UInt8]? {
        let start = hasLetter ? 1 : 0
        guard var message = read(socket, start + 4) else { return nil }
        let length = message[start...].reduce(0) { $0 << 8 | Int($1) }
        guard length >= 4, let body = read(socket, length - 4) else { return nil }
        message += body
        return message
    }

    private static func read(_ socket: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var taken = 0
        while taken < count {
            let got = bytes[taken...].withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            guard got > 0 else { return nil }
            taken += got
        }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    private static func here(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    static func listen() throws -> (socket: Int32, port: UInt16) {
        let socket = socket(AF_INET, stream, 0)
        var address = here(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && Glibc.listen(socket, 16) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw ServerPrograms.Failed(description: "no port is free") }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private static func connect(_ port: UInt16) -> Int32? {
        let socket = socket(AF_INET, stream, 0)
        var address = here(port)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return code == 0 ? socket : nil
    }
}
