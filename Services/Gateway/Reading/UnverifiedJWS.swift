import Contracts
import Foundation

/// What a compact JWS states (RFC 7515, section 7.1), before anybody verifies it: good enough to choose a partition.
enum UnverifiedJWS {
    private static let decoder = EventDecoder()

    /// Nil if the text is no JWS with such a payload, or longer than `maximumBytes`; white space in it does not count.
    static func payload<Payload: Decodable>(
        of text: String,
        as type: Payload.Type,
        maximumBytes: Int
    ) -> Payload? {
        guard text.utf8.count <= maximumBytes else { return nil }
        let segments = Array(text.utf8).split(
            separator: UInt8(ascii: "."),
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        guard segments.count == 3 else { return nil }
        var base64 = segments[1].compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
                UInt8(ascii: "="):
                nil
            default: byte
            }
        }
        base64 += Array(repeating: UInt8(ascii: "="), count: (4 - base64.count % 4) % 4)
        guard let json = Data(base64Encoded: Data(base64)) else { return nil }
        do { return try decoder.decode(type, from: [UInt8](json)) } catch { return nil }
    }
}
