import AppStore
import Program

enum RootCertificates {
    static func read(_ written: String, of home: Home) throws(ConfigurationError) -> [[UInt8]] {
        let path = home.path(written)
        let bytes = [UInt8](try home.contents(ofFile: path, namedBy: "extraRoots"))
        guard let certificates = CertificateFile.certificates(in: bytes) else {
            throw ConfigurationError(file: path, problem: "holds no certificate; give DER or PEM")
        }
        return certificates
    }
}
