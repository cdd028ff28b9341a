import Contracts
import Testing

@Suite struct `Receipt ids` {
    @Test(arguments: [UInt16(0), 7, 0x0A3C, 0xA3C7, .max])
    func `A receipt id shows its time, both shards and half of the digest`(number: UInt16) {
        let (shard, place) = (Shard(rawValue: number), Shard(rawValue: ~number))
        let receipt = ReceiptID(
            signedSeconds: 0x6924_B2C4,
            shard: shard,
            place: place,
            digest: UInt8(0)..<32
        )
        #expect(receipt.rawValue.hasPrefix("r6924b2c4"))
        #expect(receipt.rawValue.hasSuffix("000102030405060708090a0b0c0d0e0f"))
        #expect(receipt.rawValue.utf8.count == 49)
        #expect((receipt.shard, receipt.place) == (shard, place))
        #expect(ReceiptID(rawValue: receipt.rawValue) == receipt)
    }

    @Test func `A time has eight digits and a shard four, leading zeros too`() {
        let (shard, place) = (Shard(rawValue: 0x0A), Shard(rawValue: 0xB))
        let receipt = ReceiptID(signedSeconds: 0xC, shard: shard, place: place, digest: UInt8(0xF0)..<0xFF)
        #expect(receipt.rawValue.hasPrefix("r0000000c000a000bf0f1"))
    }

    @Test func `What was signed later comes later, whoever submits it`() {
        let ids = [UInt32(0), 1, 0xFF, 0x6924_B2C4, .max].map { seconds in
            let shard = Shard(rawValue: UInt16(truncatingIfNeeded: ~seconds))
            return ReceiptID(signedSeconds: seconds, shard: shard, place: shard, digest: 0..<16)
        }
        #expect(ids.map(\.rawValue) == ids.map(\.rawValue).sorted())
    }

    @Test(arguments: [
        "", "r", "r6924b2c4a3c7a3c79f86d081884c7d659a2feaa0c55ad01",
        "r6924b2c4a3c7a3c79f86d081884c7d659a2feaa0c55ad0155",
        "x6924b2c4a3c7a3c79f86d081884c7d659a2feaa0c55ad015",
        "r6924B2C4A3C7A3C79F86D081884C7D659A2FEAA0C55AD015",
        "r6924b2c4a3c7a3c79f86d081884c7d659a2feaa0c55ad01g", "ra3c7a3c79f86d081884c7d659a2feaa0c55ad015",
    ])
    func `Any other text is no receipt id`(text: String) { #expect(ReceiptID(rawValue: text) == nil) }
}
