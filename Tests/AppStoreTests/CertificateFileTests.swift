import AppStore
import AppStoreSigning
import Foundation
import Testing

@Suite struct `a file of root certificates` {
    let root: [UInt8]
    let pem: String

    init() throws {
        root = try AppStoreSigner().rootDER
        pem = """
            the test's own
            -----BEGIN CERTIFICATE-----
            \(Data(root).base64EncodedString(options: .lineLength64Characters))
            -----END CERTIFICATE-----

            """
    }

    @Test func `is taken in DER and in PEM`() {
        #expect(CertificateFile.certificates(in: root) == [root])
        #expect(CertificateFile.certificates(in: Array((pem + pem).utf8)) == [root, root])
    }

    @Test func `is refused when it holds none, or a damaged one`() {
        let cut = pem.replacing("-----END", with: "!!-----END").replacing("MII", with: "MIJ")
        for wrong in ["", "no certificate", "0", "-----BEGIN CERTIFICATE-----", pem + cut] {
            #expect(CertificateFile.certificates(in: Array(wrong.utf8)) == nil, "\(wrong.prefix(40))")
        }
        #expect(CertificateFile.certificates(in: root.dropLast()) == nil)
    }
}
