import AppStore
import Foundation
import Program

/// Files of root certificates, as a configuration names them.
enum RootCertificates {
    /// The DER of every certificate in a file.
    static func read(_ path: String) throws(ConfigurationError) -> [[UInt8]] {
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ConfigurationError(file: path, problem: "cannot be read; extraRoots names it")
        }
        guard let certificates = CertificateFile.certificates(in: bytes) else {
            throw ConfigurationError(file: path, problem: "holds no certificate; give DER or PEM")
        }
        return certificates
    }
}
