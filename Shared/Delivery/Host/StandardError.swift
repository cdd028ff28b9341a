import SystemPackage

/// What a program says to whoever has started it.
package enum StandardError {
    /// Writes a line; nobody may read it, which changes nothing.
    package static func write(_ text: String, end: String = "\n") {
        do { _ = try FileDescriptor.standardError.writeAll((text + end).utf8) } catch { return }
    }
}
