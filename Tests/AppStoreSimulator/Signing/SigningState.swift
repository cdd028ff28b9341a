import Foundation
import Glibc

/// The folder in which a signing chain outlives its process.
///
/// One file holds the whole chain, so that it is there wholly or not at all: it is written aside and then
/// given its name by `link`, which lets exactly one of several processes win.
struct SigningState {
    static let fileName = "signing-chain.json"

    let folder: String

    /// The chain, whose certificates name the responder at `ocsp` where one is given.
    func chain(ocsp: String? = nil) throws -> SigningChain {
        try makeFolder()
        if access(path, F_OK) != 0 { try publish(try SigningChain.make(signsReceipts: true, ocsp: ocsp)) }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let chain = try JSONDecoder().decode(SigningChain.self, from: data)
        guard ocsp == nil || chain.authority?.url == ocsp else {
            throw SystemError(
                description: "the certificates name another OCSP responder, or none; remove the folder"
            )
        }
        return chain
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw SystemError(description: "the folder cannot be made")
        }
    }

    private var path: String { folder + "/" + Self.fileName }

    private func publish(_ chain: SigningChain) throws {
        let draft = path + ".\(getpid()).\(UInt64.random(in: 0 ... .max))"
        defer { unlink(draft) }
        try write(Array(try JSONEncoder().encode(chain)), to: draft)
        guard link(draft, path) == 0 || errno == EEXIST else { throw SystemError("link", path) }
    }

    private func write(_ bytes: [UInt8], to draft: String) throws {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open", draft) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 || errno == EINTR else { throw SystemError("write", draft) }
            written += max(0, count)
        }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync", draft) }
    }
}

/// A call of the system that failed, with its `errno`.
struct SystemError: Error, CustomStringConvertible {
    let description: String

    init(description: String) { self.description = description }

    init(_ call: String, _ path: String) {
        description = "\(call) \(path): \(String(cString: strerror(errno)))"
    }
}
