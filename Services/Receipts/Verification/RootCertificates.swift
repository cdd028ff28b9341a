import AppStore
import Program

/// Files of root certificates, as a configuration names them.
enum RootCertificates {
    /// The DER of every certificate in a file that a home's configuration names.
    static func read(_ written: String, of home: Home) throws(ConfigurationError) -> [[UInt8]] {
        let path = home.path(written)
        let bytes = [UInt8](try home.contents(ofFile: path, namedBy: "extraRoots"))
        guard let certificates = CertificateFile.certificates(in: bytes) else {
            throw ConfigurationError(file: path, problem: "holds no certificate; give DER or PEM")
        }
        return certificates
    }
}
