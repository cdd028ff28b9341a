import Contracts
import Crypto

/// The trusted roots: Apple's three, by fingerprint, and those of a test home.
struct TrustAnchors: Sendable {
    /// SHA-256 of the DER of "Apple Inc Root", Apple Root CA G2 and G3 (www.apple.com/certificateauthority).
    static let appleFingerprints = [
        "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
        "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
        "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
    ]

    let extraRoots: [[UInt8]]
    private let fingerprints: Set<String>

    init(extraRoots: [[UInt8]] = []) {
        self.extraRoots = extraRoots
        fingerprints = Set(Self.appleFingerprints).union(extraRoots.map(Self.fingerprint))
    }

    func contains(_ root: [UInt8]) -> Bool { fingerprints.contains(Self.fingerprint(of: root)) }

    static func fingerprint(of der: [UInt8]) -> String { SHA256.hash(data: der).hexadecimal }
}
