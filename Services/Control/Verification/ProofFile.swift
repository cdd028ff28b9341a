import Domain
import FoundationEssentials
import Glibc
import Program

enum ProofFile {
    static let standardInput = "-"

    /// Maximum bytes read: more than a receipt of 8 MiB of base64, with line breaks.
    static let maximumBytes = Limits.proofTextBytes

    static func read(_ name: String) throws -> [UInt8] {
        do {
            let isInput = name == standardInput
            let file = try isInput ? Descriptor(dup(STDIN_FILENO), from: "dup") : .open(name, O_RDONLY)
            var bytes: [UInt8] = []
            while bytes.count <= maximumBytes {
                let part = try file.chunk(of: 64 << 10)
                if part.isEmpty { break }
                bytes += part
            }
            return bytes
        } catch {
            throw CommandFailure.usage("\(name) cannot be read")
        }
    }
}
