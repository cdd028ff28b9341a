struct SocketPath: Sendable {
    /// The size of `sun_path` without its closing zero.
    static let maximumBytes = 107

    let text: String
    var endpoint: String { "ipc://" + text }

    init(_ text: String) throws(ZeroMQError) {
        guard text.utf8.first == UInt8(ascii: "/") else { throw .pathNotAbsolute(text) }
        guard text.utf8.count <= Self.maximumBytes else { throw .pathTooLong(text, bytes: text.utf8.count) }
        self.text = text
    }
}
