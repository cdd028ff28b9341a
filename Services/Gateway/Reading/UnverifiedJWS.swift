import Contracts
import Domain

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
        let segments = Base64.normalizedJWS(text).split(
            separator: UInt8(ascii: "."),
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        guard segments.count == 3, let json = Base64.url.decode(segments[1]) else { return nil }
        do { return try decoder.decode(type, from: json) } catch { return nil }
    }
}
