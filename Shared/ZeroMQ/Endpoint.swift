/// Where a router is bound, in the text of libzmq: `ipc:///run/orders/0.sock` or `tcp://10.0.0.7:7400`.
package enum Endpoint: Hashable, Sendable, LosslessStringConvertible {
    /// A socket of one machine, at an absolute path.
    case ipc(path: String)
    /// A name or an address; an IPv6 address has its brackets in the text only.
    case tcp(host: String, port: UInt16)

    private static let ipcScheme = "ipc://"
    private static let tcpScheme = "tcp://"

    /// Parses the form of `description`; nil for other text.
    package init?(_ text: String) {
        if text.hasPrefix(Self.ipcScheme) {
            let path = text.dropFirst(Self.ipcScheme.count)
            guard path.hasPrefix("/") else { return nil }
            self = .ipc(path: String(path))
        } else if text.hasPrefix(Self.tcpScheme) {
            self.init(address: text.dropFirst(Self.tcpScheme.count))
        } else {
            return nil
        }
    }

    /// `host:port`, an IPv6 host in brackets.
    private init?(address: Substring) {
        guard let colon = address.lastIndex(of: ":") else { return nil }
        let digits = String(address[address.index(after: colon)...])
        guard let port = UInt16(digits), port > 0, String(port) == digits else { return nil }
        let host = address[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]"), host.contains(":") {
            let inner = host.dropFirst().dropLast()
            guard inner.allSatisfy(Self.isAddressCharacter) else { return nil }
            self = .tcp(host: String(inner), port: port)
        } else {
            guard !host.isEmpty, host.allSatisfy(Self.isNameCharacter) else { return nil }
            self = .tcp(host: String(host), port: port)
        }
    }

    package var description: String {
        switch self {
        case .ipc(let path): Self.ipcScheme + path
        case .tcp(let host, let port): Self.tcpScheme + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        }
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || character == "." || character == "-")
    }

    private static func isAddressCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isHexDigit || character == ":" || character == ".")
    }
}
