import Glibc
import Contracts

/// One address, or a range in CIDR notation such as `10.0.0.0/8` or `fd00::/8`.
package struct AddressRange: Hashable, Sendable, Codable, LosslessStringConvertible {
    package static let loopback = [AddressRange("127.0.0.0/8"), AddressRange("::1")].compactMap(\.self)

    package let description: String
    private let start: [UInt8]
    private let bits: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = Self.bytes(ofAddress: String(parts[0])) else { return nil }
        var bits = start.count * 8
        if parts.count == 2 {
            guard parts[1].allSatisfy(\.isNumber), let written = Int(parts[1]), written <= bits else {
                return nil
            }
            bits = written
        }
        self.start = start
        self.bits = bits
        description = text
    }

    /// Whether the range contains an address of four or sixteen bytes.
    package func contains(_ address: [UInt8]) -> Bool {
        guard address.count == start.count else { return false }
        let whole = bits / 8
        guard address.prefix(whole).elementsEqual(start.prefix(whole)) else { return false }
        let rest = bits % 8
        return rest == 0 || (address[whole] ^ start[whole]) >> (8 - rest) == 0
    }

    package init(from decoder: any Decoder) throws {
        let advice = "is no address; write one, or a range such as 10.0.0.0/8"
        self = try decoder.value(ofText: Self.init, or: advice)
    }

    /// Encodes the text.
    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

    /// The address's bytes: 4 for IPv4, also when mapped into IPv6, else 16; nil for other text.
    package static func bytes(ofAddress text: String) -> [UInt8]? {
        var (four, sixteen) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: sixteen) { Array($0) }
        return bytes.starts(with: mappedPrefix) ? Array(bytes.suffix(4)) : bytes
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
