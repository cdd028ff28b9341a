/// The path of a socket in the file system.
struct SocketPath: Sendable {
    /// What `sun_path` holds beside its closing zero.
    static let maximumBytes = 107

    let text: String
    /// The path as libzmq writes it.
    var endpoint: String { "ipc://" + text }

    init(_ text: String) throws(ZeroMQError) {
        guard text.utf8.first == UInt8(ascii: "/") else { throw .pathNotAbsolute(text) }
        guard text.utf8.count <= Self.maximumBytes else { throw .pathTooLong(text, bytes: text.utf8.count) }
        self.text = text
    }
}
