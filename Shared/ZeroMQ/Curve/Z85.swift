import CZeroMQ

/// The text of a key of CURVE, as libzmq writes it (ZeroMQ RFC 32).
enum Z85 {
    static let byteCount = 32
    static let characterCount = 40

    /// The bytes of a key; nil for other text.
    static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count == characterCount, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return zmq_z85_decode(&bytes, text) == nil ? nil : bytes
    }

    /// Room for the text of a key, and the zero behind it.
    static var room: [CChar] { [CChar](repeating: 0, count: characterCount + 1) }

    /// What libzmq has written.
    static func text(_ characters: [CChar]) -> String {
        let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
