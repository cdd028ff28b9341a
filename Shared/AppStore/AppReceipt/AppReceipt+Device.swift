import Crypto

extension AppReceipt {
    /// Refuses a receipt that was made for another device.
    ///
    /// SHA-1 over device id, attribute 4 and attribute 2 as encoded has to be attribute 5. The reason is
    /// `wrongApp`, not `badSignature`: the payment is real, and a phone restored from a backup holds the old
    /// phone's receipt.
    func require(deviceID: String) throws(VerificationFailure) {
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
        let digits = text.filter { $0 != "-" && $0 != ":" }.map(\.hexDigitValue)
        guard [32, 12].contains(digits.count), !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { place in
            UInt8((digits[place] ?? 0) << 4 | (digits[place + 1] ?? 0))
        }
    }
}
