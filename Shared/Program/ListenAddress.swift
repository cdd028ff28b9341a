import Contracts

/// Where the gateway listens: `host:port`, an IPv6 host in brackets; port 0 lets the system choose.
package struct ListenAddress: Hashable, Sendable, Codable, LosslessStringConvertible {
    package static let standard = ListenAddress(host: "127.0.0.1", port: 8_080)

    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Default address for operators: the port above on this machine; 0 if the port is 0.
    package static func operations(beside listen: ListenAddress) -> ListenAddress {
        let port = listen.port == 0 ? 0 : listen.port == Int(UInt16.max) ? listen.port - 1 : listen.port + 1
        return ListenAddress(host: "127.0.0.1", port: port)
    }

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard let port = UInt16(digits), digits.allSatisfy(\.isNumber) else { return nil }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]"), host.contains(":") {
            self.init(host: String(host.dropFirst().dropLast()), port: Int(port))
        } else if !host.isEmpty, host.allSatisfy(Self.isHostCharacter) {
            self.init(host: String(host), port: Int(port))
        } else {
            return nil
        }
    }

    package init(from decoder: any Decoder) throws {
        let advice = "is no address; write host:port, such as 127.0.0.1:8080"
        self = try decoder.value(ofText: Self.init(_:), or: advice)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Encodes the text.
    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

    private static func isHostCharacter(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || character == "." || character == "-")
    }
}
