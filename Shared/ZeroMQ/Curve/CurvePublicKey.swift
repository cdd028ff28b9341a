import CZeroMQ

/// A public key of CURVE, written as 40 characters of libzmq's Z85.
package struct CurvePublicKey: Hashable, Sendable, LosslessStringConvertible {
    static let byteCount = Z85.byteCount

    /// 32 of them.
    let bytes: [UInt8]

    /// Parses the form of `description`; nil for other text.
    package init?(_ text: String) {
        guard let bytes = Z85.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    package var description: String {
        var text = Z85.room
        zmq_z85_encode(&text, bytes, bytes.count)
        return Z85.text(text)
    }
}
