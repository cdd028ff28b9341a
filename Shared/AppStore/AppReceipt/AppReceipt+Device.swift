import Crypto

extension AppReceipt {
    /// Refuses a receipt that was made for another device than `deviceID`.
    ///
    /// SHA-1 over the device's id, attribute 4 and attribute 2 as they lie in the receipt has to be attribute 5.
    /// The reason is `wrongApp`, not `badSignature`: Apple's signature holds, the payment is real, and a phone
    /// that was restored from a backup holds the receipt of its predecessor. So it is kept and not thrown away.
    package func require(deviceID: String) throws(VerificationFailure) {
        guard let device = Self.deviceBytes(deviceID) else {
            throw VerificationFailure(.wrongApp, "the device id is neither a UUID nor a MAC address")
        }
        guard let deviceHash else {
            throw VerificationFailure(.wrongApp, "the receipt names no device")
        }
        let digest = Insecure.SHA1.hash(data: device + opaqueValue + bundleIdValue)
        guard digest.elementsEqual(deviceHash) else {
            throw VerificationFailure(.wrongApp, "the receipt was made for another device")
        }
    }

    /// The 16 bytes of `identifierForVendor`, or the 6 of a Mac's first network interface.
    private static func deviceBytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        guard digits.count == 32 || digits.count == 12 else { return nil }
        var bytes: [UInt8] = []
        for pair in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[pair]), let low = value(digits[pair + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
