import Contracts
import Testing

@Suite struct `Receipt ids` {
    @Test(arguments: [UInt16(0), 7, 0x0A3C, 0xA3C7, .max])
    func `A receipt id shows both shards and half of the digest`(number: UInt16) {
        let (shard, place) = (Shard(rawValue: number), Shard(rawValue: ~number))
        let receipt = ReceiptID(shard: shard, place: place, digest: UInt8(0)..<32)
        #expect(receipt.rawValue.hasSuffix("000102030405060708090a0b0c0d0e0f"))
        #expect(receipt.rawValue.utf8.count == 41)
        #expect((receipt.shard, receipt.place) == (shard, place))
        #expect(ReceiptID(rawValue: receipt.rawValue) == receipt)
    }

    @Test func `A shard has four digits, leading zeros too`() {
        let (shard, place) = (Shard(rawValue: 0x0A), Shard(rawValue: 0xB))
        let receipt = ReceiptID(shard: shard, place: place, digest: UInt8(0xF0)..<0xFF)
        #expect(receipt.rawValue.hasPrefix("r000a000bf0f1"))
    }

    @Test(arguments: [
        "", "r", "ra3c7a3c79f86d081884c7d659a2feaa0c55ad01", "ra3c7a3c79f86d081884c7d659a2feaa0c55ad0155",
        "xa3c7a3c79f86d081884c7d659a2feaa0c55ad015", "rA3C7A3C79F86D081884C7D659A2FEAA0C55AD015",
        "ra3c7a3c79f86d081884c7d659a2feaa0c55ad01g",
    ])
    func `Any other text is no receipt id`(text: String) { #expect(ReceiptID(rawValue: text) == nil) }
}
