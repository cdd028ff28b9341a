import Domain
import Foundation
import Program

enum ProofFile {
    static let standardInput = "-"

    /// Maximum bytes read: more than a receipt of 8 MiB of base64, with line breaks.
    static let maximumBytes = Limits.proofTextBytes

    static func read(_ name: String) throws -> [UInt8] {
        do {
            let isInput = name == standardInput
            let file: FileHandle =
                try isInput ? .standardInput : FileHandle(forReadingFrom: URL(filePath: name))
            var bytes: [UInt8] = []
            while bytes.count <= maximumBytes, let part = try file.read(upToCount: 64 * 1_024), !part.isEmpty
            {
                bytes += part
            }
            return bytes
        } catch {
            throw CommandFailure.usage("\(name) cannot be read")
        }
    }
}
