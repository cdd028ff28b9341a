import Foundation
import Program

/// A file that holds a proof of payment.
enum ProofFile {
    /// The name that means standard input.
    static let standardInput = "-"

    /// Bytes read of a file at most: a receipt of 3 MiB in base64 with line breaks, and room; what is longer is
    /// too large by the part that was read.
    static let maximumBytes = 6 * 1_024 * 1_024

    /// The content of a file, or of standard input.
    ///
    /// - Throws: `CommandFailure`, a matter of usage.
    static func read(_ name: String) throws -> [UInt8] {
        do {
            if name == standardInput { return try contents(of: .standardInput) }
            let file = try FileHandle(forReadingFrom: URL(filePath: name))
            defer { close(file) }
            return try contents(of: file)
        } catch {
            throw CommandFailure(description: "\(name) cannot be read", exitCode: Launch.usageCode)
        }
    }

    private static func contents(of file: FileHandle) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= maximumBytes, let part = try file.read(upToCount: 64 * 1_024), !part.isEmpty {
            bytes += part
        }
        return bytes
    }

    private static func close(_ file: FileHandle) {
        do { try file.close() } catch { Terminal.warn("a file that was read cannot be closed") }
    }
}
