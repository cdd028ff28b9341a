import Dispatch
import Glibc

/// The addresses of servers' names.
///
/// The system's own call may take many seconds and cannot be ended, and an append waits inside of a transaction: so it
/// runs elsewhere, once for each name at a time. Where it is not in time the former addresses serve.
final class NameLookup {
    /// What a thread of the system hands over, behind the signal.
    private final class Answer: @unchecked Sendable {  // Written before the signal, read after it.
        let isThere = DispatchSemaphore(value: 0)
        var addresses: [String] = []
    }

    /// Of one name, at most.
    static let maximumAddresses = 4

    private var underway: [String: Answer] = [:]
    private var known: [String: [String]] = [:]
    private let resolve: @Sendable (String) -> [String]

    init(resolve: @escaping @Sendable (String) -> [String] = NameLookup.system) { self.resolve = resolve }

    /// The addresses of a server, in the system's order; nil for the folder of a socket.
    func addresses(
        of host: LogAddress.Host,
        _ pulse: Pulse,
        until deadline: Deadline
    ) throws(SessionFault) -> [String]? {
        if host.name.hasPrefix("/") { return nil }
        if Self.isAddress(host.name) { return [host.name] }
        let answer = underway[host.name] ?? begin(host.name)
        while answer.isThere.wait(timeout: .now() + .milliseconds(min(deadline.remaining, pulse.interval)))
            == .timedOut
        {
            guard deadline.isOver else {
                pulse.beat(true)
                try pulse.assertWanted()
                continue
            }
            guard let former = known[host.name] else { throw .silent("its name was not found in time") }
            return former
        }
        underway[host.name] = nil
        guard !answer.addresses.isEmpty else {
            guard let former = known[host.name] else { throw .silent("there is no such name") }
            return former
        }
        known[host.name] = answer.addresses
        return answer.addresses
    }

    private func begin(_ name: String) -> Answer {
        let answer = Answer()
        underway[name] = answer
        DispatchQueue.global().async { [resolve] in
            answer.addresses = resolve(name)
            answer.isThere.signal()
        }
        return answer
    }

    private static func isAddress(_ name: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, name, &bytes) == 1 || inet_pton(AF_INET6, name, &bytes) == 1
    }

    /// What the system says; nothing where it knows no such name.
    @Sendable static func system(_ name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next, addresses.count < maximumAddresses {
            next = entry.pointee.ai_next
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr,
                entry.pointee.ai_addrlen,
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            )
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let address = String(decoding: bytes, as: UTF8.self)
            if code == 0, !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }
}
