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
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        if access(path, F_OK) != 0 { try publish(try SigningChain.make(signsReceipts: true, ocsp: ocsp)) }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let chain = try JSONDecoder().decode(SigningChain.self, from: data)
        guard ocsp == nil || chain.authority?.url == ocsp else {
            throw UnusableState(
                description: "the certificates name another OCSP responder, or none; remove the folder"
            )
        }
        return chain
    }

    private var path: String { folder + "/" + Self.fileName }

    private func publish(_ chain: SigningChain) throws {
        let draft = path + ".\(getpid()).\(UInt64.random(in: 0 ... .max))"
        defer { unlink(draft) }
        let isWritten = FileManager.default.createFile(
            atPath: draft,
            contents: try JSONEncoder().encode(chain),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten, link(draft, path) == 0 || errno == EEXIST else {
            throw UnusableState(description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}

struct UnusableState: Error, CustomStringConvertible {
    let description: String
}
