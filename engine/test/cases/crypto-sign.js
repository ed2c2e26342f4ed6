// Keys made for these tests, with signatures of Node over 'the message'.
const keys = {
  rsa: {
    pub: {
      kty: 'RSA',
      n: 'hW7moYFRbSRHQh1JO48OrW6GoywsvK5L07nso3-J91AKLySbBpDsf7jxQyslu6tQUouHIBjiEEcUWLGTtex1RXdQ5t-1QCjpn8FxIDFMZ96pWzfjG06v7b8uXtqnnIxzbxOyUiZw4aF6qJMmooyI-DBxfersP8QhkVZQiPRKOOV7NQpRfI9PoK_VY-box-c_p4wZfViQJlanyreV4iERqOyX3b6Q39vDZmU10fred2V_yaDO3Dt3nL_bB6KsnahyHsgbqrRcjTSb6Vxkg2dFs3Z9KJUoATKxd9kHFSf0ByctoqLqB5JVZStQygFWs57UVMFwNtu1jWLnUekv1uhd9w',
      e: 'AQAB',
    },
    priv: {
      kty: 'RSA',
      n: 'hW7moYFRbSRHQh1JO48OrW6GoywsvK5L07nso3-J91AKLySbBpDsf7jxQyslu6tQUouHIBjiEEcUWLGTtex1RXdQ5t-1QCjpn8FxIDFMZ96pWzfjG06v7b8uXtqnnIxzbxOyUiZw4aF6qJMmooyI-DBxfersP8QhkVZQiPRKOOV7NQpRfI9PoK_VY-box-c_p4wZfViQJlanyreV4iERqOyX3b6Q39vDZmU10fred2V_yaDO3Dt3nL_bB6KsnahyHsgbqrRcjTSb6Vxkg2dFs3Z9KJUoATKxd9kHFSf0ByctoqLqB5JVZStQygFWs57UVMFwNtu1jWLnUekv1uhd9w',
      e: 'AQAB',
      d: 'A3cb2jnniXQVvavRCRDwCqUCLh6pksTcB0We1agsRxX3Db5foE4HNlHxQhNOyY7raRliivzach3Gc385HNJlQUaV_Uj2BhKJ7rIxY-qj11a7AzlyVnU2sG_0nlYDYFdtcAcM7IE_ET0GWHZp3HLV48wuRlzhgc5wKLwbH1No0g1qCdSfCCo6RYnSf0G63WVeJ9nCOrzy_58eNqLtRirGdqwn0EJhF0hOLhf696vN6hCsLekYlrTq7RlgN5Dbs0cS3ysDJjoosi8C9OmLFmhvif0bsBpFi7FXxatfAXertpv6YrIo13zRkj7yCErqPLsZWGdZu6tWZivmM1Tg3FHmYQ',
      p: 'u_H_Rzw2pkgeLVUtDml1T90mMuMT-xJFR8sC1F9EUX8uT_49JdPxcG2j5Wzu6Yz7lmPwi0NHwY3Hv-SbfM8n3x6ZSNhBVAKOfmYMdwC4t7ybnHHp_irjBxNv72E8WQuCnfYaOgDjqAQ2PKJKDdRbp8kaAeh13HPCW--fBqIuma8',
      q: 'tb_JB7n9clSk515o6dekPdI7eQdKCWku4WO1XvpIDKex37nfrGA8h449ZOcv0SMuT-PXmMKKLXuFS214aAo_3_mVDjLRDU2gOmdCsQ1uycOeKQeYkLlMb-FheHEJNZBLqz-N3wHrlcEkkRxxagQQBdBwDxfJtfpL9Rae9snRujk',
      dp: 'oEBPMiYdUtrbIDwoFsnExTwDfhAw0Tta50QqPXqdff-7NWnKKZ71lq9luBGSBIG5YxoD2DqdzGNfljcOfPUFQjGM8Zey3Dbx2MSajD2JQuEGrfZTVeyrdzUTlECMfEBcNuPIqPxpILG2rSyTiAcxv3axPj8_f6EUb9948OcIZPE',
      dq: 'ipNVQwfjn7W8GhEY6xsZRm2yHOCa6bwCG6X7lxQ7tTJzZAMD8RlbbXvdgb7n7YzmddFiBD5oPq-MfWtVP_Z4p1xT8wR58qu6PG2ZIwf77eiyAdSh1c8C4dc1izCcdfO0TjjiAiQjrQYbzGykaNH6KYS4vDlF-fOC0LdTsxVETLk',
      qi: 'CmGD1XQH0ALdhM2xfZYAFnGIswvAFsCHaWlL3EblIZFWwBOE1-v6X8pFSFfYwPtPs3Fr8zDXR9ZBcEeHGdRPDYJxMs7PrWm1amyAg1vTYm47widTqMp1xDXhb8_K9GjLDv4MsG6cUQE6budM9dhZDbAOI8srzCD2sv4JkuZnnY8',
    },
    spki: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAhW7moYFRbSRHQh1JO48OrW6GoywsvK5L07nso3-J91AKLySbBpDsf7jxQyslu6tQUouHIBjiEEcUWLGTtex1RXdQ5t-1QCjpn8FxIDFMZ96pWzfjG06v7b8uXtqnnIxzbxOyUiZw4aF6qJMmooyI-DBxfersP8QhkVZQiPRKOOV7NQpRfI9PoK_VY-box-c_p4wZfViQJlanyreV4iERqOyX3b6Q39vDZmU10fred2V_yaDO3Dt3nL_bB6KsnahyHsgbqrRcjTSb6Vxkg2dFs3Z9KJUoATKxd9kHFSf0ByctoqLqB5JVZStQygFWs57UVMFwNtu1jWLnUekv1uhd9wIDAQAB',
    pkcs8:
      'MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCFbuahgVFtJEdCHUk7jw6tboajLCy8rkvTueyjf4n3UAovJJsGkOx_uPFDKyW7q1BSi4cgGOIQRxRYsZO17HVFd1Dm37VAKOmfwXEgMUxn3qlbN-MbTq_tvy5e2qecjHNvE7JSJnDhoXqokyaijIj4MHF96uw_xCGRVlCI9Eo45Xs1ClF8j0-gr9Vj5ujH5z-njBl9WJAmVqfKt5XiIRGo7JfdvpDf28NmZTXR-t53ZX_JoM7cO3ecv9sHoqydqHIeyBuqtFyNNJvpXGSDZ0Wzdn0olSgBMrF32QcVJ_QHJy2iouoHklVlK1DKAVazntRUwXA227WNYudR6S_W6F33AgMBAAECggEAA3cb2jnniXQVvavRCRDwCqUCLh6pksTcB0We1agsRxX3Db5foE4HNlHxQhNOyY7raRliivzach3Gc385HNJlQUaV_Uj2BhKJ7rIxY-qj11a7AzlyVnU2sG_0nlYDYFdtcAcM7IE_ET0GWHZp3HLV48wuRlzhgc5wKLwbH1No0g1qCdSfCCo6RYnSf0G63WVeJ9nCOrzy_58eNqLtRirGdqwn0EJhF0hOLhf696vN6hCsLekYlrTq7RlgN5Dbs0cS3ysDJjoosi8C9OmLFmhvif0bsBpFi7FXxatfAXertpv6YrIo13zRkj7yCErqPLsZWGdZu6tWZivmM1Tg3FHmYQKBgQC78f9HPDamSB4tVS0OaXVP3SYy4xP7EkVHywLUX0RRfy5P_j0l0_FwbaPlbO7pjPuWY_CLQ0fBjce_5Jt8zyffHplI2EFUAo5-Zgx3ALi3vJuccen-KuMHE2_vYTxZC4Kd9ho6AOOoBDY8okoN1FunyRoB6HXcc8Jb758Goi6ZrwKBgQC1v8kHuf1yVKTnXmjp16Q90jt5B0oJaS7hY7Ve-kgMp7Hfud-sYDyHjj1k5y_RIy5P49eYwoote4VLbXhoCj_f-ZUOMtENTaA6Z0KxDW7Jw54pB5iQuUxv4WF4cQk1kEurP43fAeuVwSSRHHFqBBAF0HAPF8m1-kv1Fp72ydG6OQKBgQCgQE8yJh1S2tsgPCgWycTFPAN-EDDRO1rnRCo9ep19_7s1acopnvWWr2W4EZIEgbljGgPYOp3MY1-WNw589QVCMYzxl7LcNvHYxJqMPYlC4Qat9lNV7Kt3NROUQIx8QFw248io_GkgsbatLJOIBzG_drE-Pz9_oRRv33jw5whk8QKBgQCKk1VDB-OftbwaERjrGxlGbbIc4JrpvAIbpfuXFDu1MnNkAwPxGVtte92BvuftjOZ10WIEPmg-r4x9a1U_9ninXFPzBHnyq7o8bZkjB_vt6LIB1KHVzwLh1zWLMJx187ROOOICJCOtBhvMbKRo0fophLi8OUX584LQt1OzFURMuQKBgAphg9V0B9AC3YTNsX2WABZxiLMLwBbAh2lpS9xG5SGRVsAThNfr-l_KRUhX2MD7T7Nxa_Mw10fWQXBHhxnUTw2CcTLOz61ptWpsgINb02JuO8InU6jKdcQ14W_PyvRoyw7-DLBunFEBOm7nTPXYWQ2wDiPLK8wg9rL-CZLmZ52P',
    sig: 'b6WreoIs0GIc5JLitDrFqpizVreEU2weRQ76mkffwloQs60dGh9G-zjHaAcwkUD8S1_BcyPRZPVY9pJPr7_fVDEj7KPIrLlRzaPGCS9qOEhU2LjsJ7_V1Q_4028Uesr4_ET5mDT8aSqdPWBZaVZko2Oj5qiaMu-gZJ9eWow6979M5SOK7svVFhrzXvzQvbB_tts8xDl9fVS2lcWXnQyUPtDkWcNzIqDAT8z6_cO_oKWwFPAEmdpFYEsVm_AIGJ407oMTK7yL4vYQs4-5ZCPra4hWj0yIoSTobOXygbJY2dW0GO_AQmnV0MwvXBTGYcF5Sm8AaM4vVDe7Sz3d8Wd4Bg',
    'sigSHA-1':
      'a_XF5HBDcpcQbQ7I4HNmpFM_htptQn_veNtHh9JUD-6Fledb1XcvsdPZvzfrC3M7UPphhMcP4Hhb4Rg3w-fDzg_S6_TrjxhE-ohSUfw1oMLSWM2_MKvqiyZ9tbuHcV2LNvVv4q1SLYFkZnDfa47PYldta4cuASDGQM3cqxbZuJMr_IMzuxCKsxOLjd-yXoHlOjmcNBnma1RTvGROlKov5_qm51WU7JM6juxcivGs3-etOLR1_CStXtbwywZSNrrPWcITlXkBbmnnGWSlDHFVF22G1V-tXtdY_IWJDZRNJiCuLC-ARKPXsnw52BtLm_e_x-jypJVk7LtXyD9dEdYBHA',
    'sigSHA-384':
      'Co1GqUfg3Fa_W7f3NCpwzoOHlQjpQ2va9Ayd01YK5vbDB8iA2UpEQ88SVLaABBZAVxdViqjtrmtZycRmn3Tvqovu_N4XxebLv5QrOpNL1JniBgqo7sOFKEGC0-IRUdMrqjQsfw8i10F6lj40yVx8LXTS1w8KXmT5C5xPzFq63hA4DXJzuyCygBTprrT5JfgalBs5kiPxrO02JBtvnVlSe83eoCo1-Gt_WWCecPn_lZuj3MVq-zRT3oZhvuyaCJ6_624mpBWKibucSHjN71tk2_rCoVq03MgCxgdSejdsQzQ2CzP8oie063bt3ZZNag_uv6RJcORgSNJ758dWDPStnQ',
    'sigSHA-512':
      'MbiwkJnagtKMjgdJlKb8K8tMAGKE_KslxbxvF9dyrsJfmCLISiHPYtcWwpE3Amy7iokrrJCfWnAmwK4_YKjo_fRz922Nx64STqqhMlL450w_g42l7NpWFFJO6H4e17CSSpgWzV2RXhUNNfVLIaLErFt5rurbP5tjfj4vXkfDJpWtYr7ANtSxMriC4jXqbLRr7PqjMSRcWX0f4TCWKfics8J8R3f18PnVVFpxhY8GGFxnLuMbfwFCFpfS-62gz-JheD2kJbY3fWJxLrT1n7QKGhafzcvWF5lNEzOy7UHNIlDEGQprfwUsVHA9F6_9pYRJALXZPSXOBhQZQ_4jPeR_WA',
    'pssSHA-25632':
      'RpMxc4liuk_TC--FAdsjc6LJH9BPWUqLNxzq7gVmRYMeMdIArWqmkx35bQk3fx9T7WfEvCv9otyDblynRzUgV7_EKRoy9WSBGGEi8zYPwLlyXrjm-dilIygeKJRXadOM54CYkZwN14TBIn09PDZEuFngSOVNWO4Jx05DPuCgY2_Imz429mgbIVswK7cgaNFMRmsdOgiuHvPxGqfYR05ZfbCkL57rNZjHyUiP7BtMv5vTDQvi0I4PLdh0uo8aSRx5ZriuPU3WwnE2BKGFyzK3Smq-7TexlFeUlHluUKpN6YPIE1e3Fbt6FOjygVqzd_oP_CrFs4BR8fCJPzGUrn_NLQ',
    'pssSHA-2560':
      'MsPG7sUOQgtJmVtLrT10iQaMzAsv7Fj1zz4ly96ohrD1e2bg4PK8ijs2vWzsUJpLD9IDmPBuIxUs3lNAEa6KdUlUO0AOgqlqSGer119m4dyu9XztTk6InGfVgRaUN0_xEHKTzMHlmjjcv0AcL6whbP-tZLBkdX2nbC-aZs1LmwRRdYSVTRsZl7ejAnqbq9j5SqrKYMfdTSP_MBO_3k1Y29F65CUHiwHXklSClyxQHYAr0JoRwNqr68wHmrPd-gRm9MUH1rl0a6E9nxbl25ryzuUWxPW6zZRFDOO8tgfSrxOA1fdbBe1d3I7-_DyZ03hnpn39vjoAvd2pgHDb5yeGWA',
    'pssSHA-51264':
      'EAMi8cRaJA8p8MKeZgZR5lRMiCVUc3JKk8Br5lt6pOJhG48K568ERxCdzXZuF6G0I_hJcWRYYvBfvjSls0tsNIZT4LG8jL6dubKAR8vWq2Er2IN2aunu5Z0-sGDucZGzAu2l3XCIruyZfe1CzE77HP-Q5kpsxGphu1zB14vzelZdhpDoK9cJN-hbkARyBxaVn7C2uHEy_4WD_zM5SibQAZqFIPbI1KrSDlcR1Vk4XH7dLuAEsLSanGo0bHP3qdQB1HD4Kt3NyZbI23NPQXrjNM5qP1fRVTFncGDGxdoRjfZr8CELlzhyzyh4MWTQXaeyzvSUfcUMa1Otldw1wQV-tA',
    'pssSHA-120':
      'KJGsMMF0GamDD3j1ZVHuIBQ0H98Y6nquQiyfQfMENJfzxhZ3-18wuA2Vy89nw2IDYATcrlNTDB57_rrM7R51rC0-qnOjvvBWWLNP7wm9wH6AQCan9aMdvXxcx56iUDCYX35AR8RaQ3FUnJnEno_F1gBqeBBoWHCa5GzCpBEUIb9-76LS97AJ9CfP2rLf70m4D3A9_iJzAoy2BW4JgzlWjcH4VY6JfCBTCpfE5EfVhnThMg2Ajn2n986nN9KBhQRHlUJw_fRLLiomM5dcjuQhL7piQG4RgyIMd-jvdP9qFyGhF2f7KgUUgfStkUx_8tLL_RnewovzWLjOT3EwKVQ7aw',
  },
  ec: {
    pub: {
      kty: 'EC',
      x: '8lYtcMbIy9iHR96XSCO9caPlRlGaig_VRqatH8zoxC4',
      y: 'Mm1tSuLuRtI8sH-numZ4GzuE9_Q-MN6ep6YsJGKADBE',
      crv: 'P-256',
    },
    priv: {
      kty: 'EC',
      x: '8lYtcMbIy9iHR96XSCO9caPlRlGaig_VRqatH8zoxC4',
      y: 'Mm1tSuLuRtI8sH-numZ4GzuE9_Q-MN6ep6YsJGKADBE',
      crv: 'P-256',
      d: 'zCFmoCzzLrYmPjJ5aboi907AHm_9rfNBWMlvWB_tyxc',
    },
    spki: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8lYtcMbIy9iHR96XSCO9caPlRlGaig_VRqatH8zoxC4ybW1K4u5G0jywf6e6ZngbO4T39D4w3p6npiwkYoAMEQ',
    pkcs8:
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzCFmoCzzLrYmPjJ5aboi907AHm_9rfNBWMlvWB_tyxehRANCAATyVi1wxsjL2IdH3pdII71xo-VGUZqKD9VGpq0fzOjELjJtbUri7kbSPLB_p7pmeBs7hPf0PjDenqemLCRigAwR',
    sig: 'KD9FTWv9wQUQuFyX_tRSYUTbqlUvoP7O4HYDG3ytEExJmLEZznIvbSFyN6oy_vzDAv9SrST-EdaVrT4zLp1Rxw',
    raw: 'BPJWLXDGyMvYh0fel0gjvXGj5UZRmooP1UamrR_M6MQuMm1tSuLuRtI8sH-numZ4GzuE9_Q-MN6ep6YsJGKADBE',
    'sigSHA-1':
      'qjDHdFa4Ofpo8pFSmFwd49mwkths6JKd9sR5W0sEud7WRVLii2v0GJ0s6G3-nRCbC5JQRJGABLQIAx9tPEt7EA',
    'sigSHA-384':
      'tZBRpe1UdLY7DBfZx-LK4Tv7K7JakaaxVpe8bZVW6oxuHwByLOuikHBcGbLWrK87_ramo7qD8IpgOQPVD-sH8Q',
    'sigSHA-512':
      'e3CDvsYDtOybPd3eSsAIIBSedEEVK-M1vPno-RKiybfK-n8vUzLI71SiBzAP1Gg2rd3I65eqpH3tnvtC3gl5PQ',
  },
  ed: {
    pub: { kty: 'OKP', crv: 'Ed25519', x: 'JcRLbhlaHUXIkk2iz_c8eEWO35uOrfFyDhj6RsYHT4o' },
    priv: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: 'JcRLbhlaHUXIkk2iz_c8eEWO35uOrfFyDhj6RsYHT4o',
      d: 'i6amtcAGbOzgUembxFkaSIeRAtj9rkxEs4aI5F_rQN0',
    },
    spki: 'MCowBQYDK2VwAyEAJcRLbhlaHUXIkk2iz_c8eEWO35uOrfFyDhj6RsYHT4o',
    pkcs8: 'MC4CAQAwBQYDK2VwBCIEIIumprXABmzs4FHpm8RZGkiHkQLY_a5MRLOGiORf60Dd',
    sig: 'hQlhqreCFdOlU2twVHFQ3tISRw46ltjjOTl3TpgRjxKzTcR_B7qN-Ce0MhIpAKbZexldV9sHYZxklEotF3VvDQ',
    raw: 'JcRLbhlaHUXIkk2iz_c8eEWO35uOrfFyDhj6RsYHT4o',
  },
  ec384: {
    pub: {
      kty: 'EC',
      x: 'agXu_FiIxJkq7LMj4NfgywAC68pQd8nYuvWUPJfxw2M0C5tCp3MygR96KM6wjafI',
      y: 'zOx6gh7ITmNJ8JvbLYQ5PupbkxMFnDE6jR_RYigZZomX7rJ8MiE7bDSBIpAcz51T',
      crv: 'P-384',
    },
    priv: {
      kty: 'EC',
      x: 'agXu_FiIxJkq7LMj4NfgywAC68pQd8nYuvWUPJfxw2M0C5tCp3MygR96KM6wjafI',
      y: 'zOx6gh7ITmNJ8JvbLYQ5PupbkxMFnDE6jR_RYigZZomX7rJ8MiE7bDSBIpAcz51T',
      crv: 'P-384',
      d: 'N9RmF0IgPlIp4I34FBsao-GwQJSAI_yt2vou_KIUyFQLuKd2e93Sr7_iKok3PZPl',
    },
    spki: 'MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEagXu_FiIxJkq7LMj4NfgywAC68pQd8nYuvWUPJfxw2M0C5tCp3MygR96KM6wjafIzOx6gh7ITmNJ8JvbLYQ5PupbkxMFnDE6jR_RYigZZomX7rJ8MiE7bDSBIpAcz51T',
    pkcs8:
      'MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDA31GYXQiA-UingjfgUGxqj4bBAlIAj_K3a-i78ohTIVAu4p3Z73dKvv-IqiTc9k-WhZANiAARqBe78WIjEmSrssyPg1-DLAALrylB3ydi69ZQ8l_HDYzQLm0KnczKBH3oozrCNp8jM7HqCHshOY0nwm9sthDk-6luTEwWcMTqNH9FiKBlmiZfusnwyITtsNIEikBzPnVM',
    sig: 'cPXtQbNWxN6SKzYeS393z2Vre5vMnrfqlM6FVUGQNY1pCiibZF5RmcFOUcEDNzl4tBtDj6Exwo7olnaK7vBay7FOY8F1P3fssNGcpC58jbfxsxM_fczil5YpPgZNN_OI',
    raw: 'BGoF7vxYiMSZKuyzI-DX4MsAAuvKUHfJ2Lr1lDyX8cNjNAubQqdzMoEfeijOsI2nyMzseoIeyE5jSfCb2y2EOT7qW5MTBZwxOo0f0WIoGWaJl-6yfDIhO2w0gSKQHM-dUw',
  },
}
const { subtle } = crypto
const utf8 = new TextEncoder()
const bytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
const hex = (data) =>
  Array.from(new Uint8Array(data), (b) => b.toString(16).padStart(2, '0')).join('')
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (b) => parseInt(b, 16))
const data = utf8.encode('the message')
const short = (text) => (text.length > 80 ? `${text.slice(0, 60)}…${text.length}` : text)
/** What a promise gives or the name of its error. */
const gives = async (run) => {
  try {
    return await run()
  } catch (error) {
    return rejected(() => {
      throw error
    })
  }
}
const describe = (key) => [
  key.type,
  key.extractable,
  JSON.stringify(key.algorithm, (_, v) => (ArrayBuffer.isView(v) ? [...v] : v)),
  [...key.usages].join(),
]
const isTrue = async (run) => (await gives(run)) === true
const secretData = utf8.encode('other data')
const h = (hash) => ({ name: 'RSASSA-PKCS1-v1_5', hash })
const p = (hash) => ({ name: 'RSA-PSS', hash })
const ec = { name: 'ECDSA', namedCurve: 'P-256' }
const es = (hash = 'SHA-256') => ({ name: 'ECDSA', hash })
const jwk = (key, alg, usages = ['verify'], more = {}) =>
  subtle.importKey('jwk', { ...key, ...more }, alg, true, usages)
const flip = (sig, at = 5) => bytes(sig).map((b, i) => (i === at ? b ^ 1 : b))
const rs = await jwk(keys.rsa.pub, h('SHA-256'))
fact('RSA public key', describe(rs), [
  'public',
  true,
  '{"name":"RSASSA-PKCS1-v1_5","modulusLength":2048,"publicExponent":[1,0,1],"hash":{"name":"SHA-256"}}',
  'verify',
])
fact('RSA verify', await subtle.verify('RSASSA-PKCS1-v1_5', rs, bytes(keys.rsa.sig), data), true)
for (const hash of ['SHA-1', 'SHA-384', 'SHA-512'])
  fact(
    `RSA verify ${hash}`,
    await subtle.verify(
      'RSASSA-PKCS1-v1_5',
      await jwk(keys.rsa.pub, h(hash)),
      bytes(keys.rsa['sig' + hash]),
      data,
    ),
    true,
  )
fact(
  'RSA verify by the wrong digest',
  await subtle.verify(
    'RSASSA-PKCS1-v1_5',
    await jwk(keys.rsa.pub, h('SHA-512')),
    bytes(keys.rsa.sig),
    data,
  ),
  false,
)
for (const at of [0, 1, 100, 255])
  fact(
    `RSA verify with bit ${at} off`,
    await subtle.verify('RSASSA-PKCS1-v1_5', rs, flip(keys.rsa.sig, at), data),
    false,
  )
fact(
  'RSA verify other data',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, bytes(keys.rsa.sig), secretData),
  false,
)
fact(
  'RSA verify truncated',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, bytes(keys.rsa.sig).slice(1), data),
  false,
)
fact(
  'RSA verify with a zero in front',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, new Uint8Array([0, ...bytes(keys.rsa.sig)]), data),
  false,
)
fact(
  'RSA verify empty',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, new Uint8Array(), data),
  false,
)
fact(
  'RSA verify zeros',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, new Uint8Array(256), data),
  false,
)
fact(
  'RSA verify ones',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, new Uint8Array(256).fill(255), data),
  false,
)
fact(
  'RSA verify the modulus',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, bytes(keys.rsa.pub.n), data),
  false,
)
fact(
  'RSA verify one',
  await subtle.verify('RSASSA-PKCS1-v1_5', rs, new Uint8Array(256).fill(1, 255), data),
  false,
)
fact(
  'RSA verify by PSS',
  await gives(() =>
    subtle.verify({ name: 'RSA-PSS', saltLength: 32 }, rs, bytes(keys.rsa.sig), data),
  ),
  'DOMException InvalidAccessError',
)
fact(
  'RSA spki',
  describe(await subtle.importKey('spki', bytes(keys.rsa.spki), h('SHA-256'), true, ['verify'])),
  [
    'public',
    true,
    '{"name":"RSASSA-PKCS1-v1_5","modulusLength":2048,"publicExponent":[1,0,1],"hash":{"name":"SHA-256"}}',
    'verify',
  ],
)
fact(
  'RSA spki verifies',
  await subtle.verify(
    'RSASSA-PKCS1-v1_5',
    await subtle.importKey('spki', bytes(keys.rsa.spki), h('SHA-256'), true, ['verify']),
    bytes(keys.rsa.sig),
    data,
  ),
  true,
)
fact(
  'RSA pkcs8',
  describe(await subtle.importKey('pkcs8', bytes(keys.rsa.pkcs8), h('SHA-256'), true, ['sign'])),
  [
    'private',
    true,
    '{"name":"RSASSA-PKCS1-v1_5","modulusLength":2048,"publicExponent":[1,0,1],"hash":{"name":"SHA-256"}}',
    'sign',
  ],
)
fact('RSA private jwk', describe(await jwk(keys.rsa.priv, h('SHA-256'), ['sign'])), [
  'private',
  true,
  '{"name":"RSASSA-PKCS1-v1_5","modulusLength":2048,"publicExponent":[1,0,1],"hash":{"name":"SHA-256"}}',
  'sign',
])
fact(
  'RSA raw',
  await gives(() => subtle.importKey('raw', bytes(keys.rsa.spki), h('SHA-256'), true, ['verify'])),
  'DOMException NotSupportedError',
)
fact(
  'RSA spki truncated',
  await gives(() =>
    subtle.importKey('spki', bytes(keys.rsa.spki).slice(0, -1), h('SHA-256'), true, ['verify']),
  ),
  'DOMException DataError',
)
fact(
  'RSA spki with bytes behind',
  await gives(() =>
    subtle.importKey('spki', new Uint8Array([...bytes(keys.rsa.spki), 0]), h('SHA-256'), true, [
      'verify',
    ]),
  ),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA spki empty',
  await gives(() => subtle.importKey('spki', new Uint8Array(), h('SHA-256'), true, ['verify'])),
  'DOMException DataError',
)
fact(
  'RSA spki of EC',
  await gives(() => subtle.importKey('spki', bytes(keys.ec.spki), h('SHA-256'), true, ['verify'])),
  'DOMException DataError',
)
fact(
  'RSA spki as pkcs8',
  await gives(() => subtle.importKey('pkcs8', bytes(keys.rsa.spki), h('SHA-256'), true, ['sign'])),
  'DOMException DataError',
)
fact(
  'RSA public key that signs',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['sign'])),
  'DOMException SyntaxError',
)
fact(
  'RSA private key that verifies',
  await gives(() => jwk(keys.rsa.priv, h('SHA-256'), ['verify'])),
  'DOMException SyntaxError',
)
fact(
  'RSA private key without usages',
  await gives(() => jwk(keys.rsa.priv, h('SHA-256'), [])),
  'DOMException SyntaxError',
)
fact('RSA public key without usages', describe(await jwk(keys.rsa.pub, h('SHA-256'), [])), [
  'public',
  true,
  '{"name":"RSASSA-PKCS1-v1_5","modulusLength":2048,"publicExponent":[1,0,1],"hash":{"name":"SHA-256"}}',
  '',
])
fact('RSA without a hash', await gives(() => jwk(keys.rsa.pub, 'RSASSA-PKCS1-v1_5')), 'TypeError')
fact('RSA alg', describe(await jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { alg: 'RS256' })), [
  'public',
  true,
  '{"name":"RSASSA-PKCS1-v1_5","modulusLength":2048,"publicExponent":[1,0,1],"hash":{"name":"SHA-256"}}',
  'verify',
])
fact(
  'RSA alg of another digest',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { alg: 'RS512' })),
  'DOMException DataError',
)
fact(
  'RSA alg of PSS',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { alg: 'PS256' })),
  'DOMException DataError',
)
fact(
  'RSA kty',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { kty: 'EC' })),
  'DOMException DataError',
)
fact(
  'RSA n missing',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { n: undefined })),
  'DOMException DataError',
)
fact(
  'RSA n not base64url',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { n: '!!' })),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA n empty',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { n: '' })),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA n even',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { n: 'AQAC' })),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA n of one bit',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { n: 'AQ' })),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA e zero',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { e: 'AA' })),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA e one',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { e: 'AQ' })),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA e even',
  await gives(() => jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { e: 'BA' })),
  'DOMException DataError',
  { node: {} },
)
fact('RSA e three', (await jwk(keys.rsa.pub, h('SHA-256'), ['verify'], { e: 'Aw' })).type, 'public')
fact(
  'RSA d zero',
  await gives(() => jwk(keys.rsa.priv, h('SHA-256'), ['sign'], { d: 'AA' })),
  'DOMException DataError',
  { node: {} },
)
fact(
  'RSA p one',
  await gives(() => jwk(keys.rsa.priv, h('SHA-256'), ['sign'], { p: 'AQ' })),
  'DOMException DataError',
)
fact(
  'RSA p zero',
  await gives(() => jwk(keys.rsa.priv, h('SHA-256'), ['sign'], { p: 'AA', q: 'AA' })),
  'DOMException DataError',
)
fact(
  'RSA p and q the same',
  await gives(() => jwk(keys.rsa.priv, h('SHA-256'), ['sign'], { p: keys.rsa.priv.q })),
  'DOMException DataError',
)
fact(
  'RSA p missing',
  await gives(() => jwk(keys.rsa.priv, h('SHA-256'), ['sign'], { p: undefined })),
  'DOMException DataError',
)
fact(
  'RSA export spki',
  short(hex(await subtle.exportKey('spki', rs))) === short(hex(bytes(keys.rsa.spki))),
  true,
)
fact(
  'RSA export spki is the same',
  hex(await subtle.exportKey('spki', rs)) === hex(bytes(keys.rsa.spki)),
  true,
)
fact(
  'RSA export pkcs8 is the same',
  hex(await subtle.exportKey('pkcs8', await jwk(keys.rsa.priv, h('SHA-256'), ['sign']))) ===
    hex(bytes(keys.rsa.pkcs8)),
  true,
)
fact(
  'RSA export jwk',
  await subtle
    .exportKey('jwk', rs)
    .then((j) => [j.kty, j.n === keys.rsa.pub.n, j.e, j.alg, j.ext, [...j.key_ops]]),
  ['RSA', true, 'AQAB', 'RS256', true, ['verify']],
)
fact(
  'RSA export private jwk',
  await subtle
    .exportKey('jwk', await jwk(keys.rsa.priv, h('SHA-384'), ['sign']))
    .then((j) => [
      j.alg,
      ...['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'].map((x) => j[x] === keys.rsa.priv[x]),
    ]),
  ['RS384', true, true, true, true, true, true, true, true],
)
fact(
  'RSA export of a public key as pkcs8',
  await gives(() => subtle.exportKey('pkcs8', rs)),
  'DOMException InvalidAccessError',
)
fact(
  'RSA export raw',
  await gives(() => subtle.exportKey('raw', rs)),
  'DOMException NotSupportedError',
)
fact(
  'PSS verify',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 32 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    bytes(keys.rsa['pssSHA-25632']),
    data,
  ),
  true,
)
fact('PSS key', describe(await jwk(keys.rsa.pub, p('SHA-256'))), [
  'public',
  true,
  '{"name":"RSA-PSS","modulusLength":2048,"publicExponent":[1,0,1],"hash":{"name":"SHA-256"}}',
  'verify',
])
fact(
  'PSS verify without salt',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 0 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    bytes(keys.rsa['pssSHA-2560']),
    data,
  ),
  true,
)
fact(
  'PSS verify SHA-512',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 64 },
    await jwk(keys.rsa.pub, p('SHA-512')),
    bytes(keys.rsa['pssSHA-51264']),
    data,
  ),
  true,
)
fact(
  'PSS verify SHA-1',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 20 },
    await jwk(keys.rsa.pub, p('SHA-1')),
    bytes(keys.rsa['pssSHA-120']),
    data,
  ),
  true,
)
fact(
  'PSS verify with another salt length',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 31 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    bytes(keys.rsa['pssSHA-25632']),
    data,
  ),
  false,
)
fact(
  'PSS verify with a salt as long as the key',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 256 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    bytes(keys.rsa['pssSHA-25632']),
    data,
  ),
  false,
)
fact(
  'PSS verify with the longest salt',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 222 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    bytes(keys.rsa['pssSHA-25632']),
    data,
  ),
  false,
)
fact(
  'PSS verify with a huge salt',
  await gives(async () =>
    subtle.verify(
      { name: 'RSA-PSS', saltLength: 4294967295 },
      await jwk(keys.rsa.pub, p('SHA-256')),
      bytes(keys.rsa['pssSHA-25632']),
      data,
    ),
  ),
  false,
)
fact(
  'PSS verify with a salt that is too huge',
  await gives(async () =>
    subtle.verify(
      { name: 'RSA-PSS', saltLength: 4294967296 },
      await jwk(keys.rsa.pub, p('SHA-256')),
      bytes(keys.rsa['pssSHA-25632']),
      data,
    ),
  ),
  'TypeError',
)
fact(
  'PSS verify with no salt length',
  await gives(async () =>
    subtle.verify(
      'RSA-PSS',
      await jwk(keys.rsa.pub, p('SHA-256')),
      bytes(keys.rsa['pssSHA-25632']),
      data,
    ),
  ),
  'TypeError',
)
fact(
  'PSS verify a bit off',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 32 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    flip(keys.rsa['pssSHA-25632']),
    data,
  ),
  false,
)
fact(
  'PSS verify zeros',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 32 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    new Uint8Array(256),
    data,
  ),
  false,
)
fact(
  'PSS verify empty',
  await subtle.verify(
    { name: 'RSA-PSS', saltLength: 32 },
    await jwk(keys.rsa.pub, p('SHA-256')),
    new Uint8Array(),
    data,
  ),
  false,
)
fact(
  'PSS alg',
  await gives(() => jwk(keys.rsa.pub, p('SHA-256'), ['verify'], { alg: 'RS256' })),
  'DOMException DataError',
)
fact(
  'RFC 7515 A.2',
  await subtle.verify(
    'RSASSA-PKCS1-v1_5',
    await jwk(
      {
        kty: 'RSA',
        e: 'AQAB',
        n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
      },
      h('SHA-256'),
    ),
    bytes(
      'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
    ),
    utf8.encode(
      'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ',
    ),
  ),
  true,
)
fact(
  'RFC 7515 A.3',
  await subtle.verify(
    es(),
    await jwk(
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      },
      ec,
    ),
    bytes('DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q'),
    utf8.encode(
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ',
    ),
  ),
  true,
)
// ECDSA.
const ecPublic = await jwk(keys.ec.pub, ec)
const ecPrivate = await jwk(keys.ec.priv, ec, ['sign'])
const n256 = unhex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
const half = (sig, which) => bytes(sig).slice(which * 32, which * 32 + 32)
const join = (...parts) => new Uint8Array(parts.flatMap((part) => [...part]))
fact('EC public key', describe(ecPublic), [
  'public',
  true,
  '{"name":"ECDSA","namedCurve":"P-256"}',
  'verify',
])
fact('EC private key', describe(ecPrivate), [
  'private',
  true,
  '{"name":"ECDSA","namedCurve":"P-256"}',
  'sign',
])
fact('EC verify', await subtle.verify(es(), ecPublic, bytes(keys.ec.sig), data), true)
for (const hash of ['SHA-1', 'SHA-384', 'SHA-512'])
  fact(
    `EC verify ${hash}`,
    await subtle.verify(es(hash), ecPublic, bytes(keys.ec['sig' + hash]), data),
    true,
  )
fact(
  'EC verify by the wrong digest',
  await subtle.verify(es('SHA-1'), ecPublic, bytes(keys.ec.sig), data),
  false,
)
fact(
  'EC verify without a hash',
  await gives(() => subtle.verify('ECDSA', ecPublic, bytes(keys.ec.sig), data)),
  'TypeError',
)
fact('EC verify a bit off', await subtle.verify(es(), ecPublic, flip(keys.ec.sig), data), false)
fact(
  'EC verify r zero',
  await subtle.verify(es(), ecPublic, join(new Uint8Array(32), half(keys.ec.sig, 1)), data),
  false,
)
fact(
  'EC verify s zero',
  await subtle.verify(es(), ecPublic, join(half(keys.ec.sig, 0), new Uint8Array(32)), data),
  false,
)
fact('EC verify both zero', await subtle.verify(es(), ecPublic, new Uint8Array(64), data), false)
fact(
  'EC verify r is n',
  await subtle.verify(es(), ecPublic, join(n256, half(keys.ec.sig, 1)), data),
  false,
)
fact(
  'EC verify s is n',
  await subtle.verify(es(), ecPublic, join(half(keys.ec.sig, 0), n256), data),
  false,
)
fact(
  'EC verify ones',
  await subtle.verify(es(), ecPublic, new Uint8Array(64).fill(255), data),
  false,
)
fact(
  'EC verify r and s one',
  await subtle.verify(
    es(),
    ecPublic,
    join(new Uint8Array(32).fill(1, 31), new Uint8Array(32).fill(1, 31)),
    data,
  ),
  false,
)
fact(
  'EC verify 63 bytes',
  await subtle.verify(es(), ecPublic, bytes(keys.ec.sig).slice(1), data),
  false,
)
fact(
  'EC verify 65 bytes',
  await subtle.verify(es(), ecPublic, join([0], bytes(keys.ec.sig)), data),
  false,
)
fact(
  'EC verify DER',
  await subtle.verify(
    es(),
    ecPublic,
    join([0x30, 68, 2, 32], half(keys.ec.sig, 0), [2, 32], half(keys.ec.sig, 1)),
    data,
  ),
  false,
)
fact('EC verify empty', await subtle.verify(es(), ecPublic, new Uint8Array(), data), false)
const minus = (a, b) => {
  const big = (x) => BigInt('0x' + hex(x))
  return unhex((big(a) - big(b)).toString(16).padStart(64, '0'))
}
fact(
  'EC verify the other s',
  await subtle.verify(
    es(),
    ecPublic,
    join(half(keys.ec.sig, 0), minus(n256, half(keys.ec.sig, 1))),
    data,
  ),
  true,
)
fact(
  'EC sign and verify',
  await subtle.verify(es(), ecPublic, await subtle.sign(es(), ecPrivate, data), data),
  true,
)
for (const hash of ['SHA-1', 'SHA-384', 'SHA-512'])
  fact(
    `EC sign ${hash}`,
    await subtle.verify(es(hash), ecPublic, await subtle.sign(es(hash), ecPrivate, data), data),
    true,
  )
fact('EC signature length', (await subtle.sign(es(), ecPrivate, data)).byteLength, 64)
fact(
  'EC sign with a public key',
  await gives(() => subtle.sign(es(), ecPublic, data)),
  'DOMException InvalidAccessError',
)
fact(
  'EC verify with a private key',
  await gives(() => subtle.verify(es(), ecPrivate, bytes(keys.ec.sig), data)),
  'DOMException InvalidAccessError',
)
fact('EC raw', describe(await subtle.importKey('raw', bytes(keys.ec.raw), ec, true, ['verify'])), [
  'public',
  true,
  '{"name":"ECDSA","namedCurve":"P-256"}',
  'verify',
])
fact(
  'EC raw verifies',
  await subtle.verify(
    es(),
    await subtle.importKey('raw', bytes(keys.ec.raw), ec, true, ['verify']),
    bytes(keys.ec.sig),
    data,
  ),
  true,
)
fact(
  'EC raw compressed',
  await gives(async () =>
    subtle.verify(
      es(),
      await subtle.importKey(
        'raw',
        join([2 | (bytes(keys.ec.raw)[64] & 1)], bytes(keys.ec.raw).slice(1, 33)),
        ec,
        true,
        ['verify'],
      ),
      bytes(keys.ec.sig),
      data,
    ),
  ),
  true,
)
fact(
  'EC raw not on the curve',
  await gives(() => subtle.importKey('raw', flip(keys.ec.raw, 40), ec, true, ['verify'])),
  'DOMException DataError',
)
fact(
  'EC raw infinity',
  await gives(() => subtle.importKey('raw', new Uint8Array(1), ec, true, ['verify'])),
  'DOMException DataError',
)
fact(
  'EC raw zeros',
  await gives(() => subtle.importKey('raw', join([4], new Uint8Array(64)), ec, true, ['verify'])),
  'DOMException DataError',
)
fact(
  'EC raw short',
  await gives(() => subtle.importKey('raw', bytes(keys.ec.raw).slice(0, 64), ec, true, ['verify'])),
  'DOMException DataError',
)
fact(
  'EC raw empty',
  await gives(() => subtle.importKey('raw', new Uint8Array(), ec, true, ['verify'])),
  'DOMException DataError',
)
fact(
  'EC raw that signs',
  await gives(() => subtle.importKey('raw', bytes(keys.ec.raw), ec, true, ['sign'])),
  'DOMException SyntaxError',
)
fact(
  'EC spki verifies',
  await subtle.verify(
    es(),
    await subtle.importKey('spki', bytes(keys.ec.spki), ec, true, ['verify']),
    bytes(keys.ec.sig),
    data,
  ),
  true,
)
fact(
  'EC spki of another curve',
  await gives(() => subtle.importKey('spki', bytes(keys.ec384.spki), ec, true, ['verify'])),
  'DOMException DataError',
)
fact(
  'EC spki of RSA',
  await gives(() => subtle.importKey('spki', bytes(keys.rsa.spki), ec, true, ['verify'])),
  'DOMException DataError',
)
fact(
  'EC pkcs8 signs',
  await subtle.verify(
    es(),
    ecPublic,
    await subtle.sign(
      es(),
      await subtle.importKey('pkcs8', bytes(keys.ec.pkcs8), ec, true, ['sign']),
      data,
    ),
    data,
  ),
  true,
)
fact(
  'EC pkcs8 truncated',
  await gives(() =>
    subtle.importKey('pkcs8', bytes(keys.ec.pkcs8).slice(0, -2), ec, true, ['sign']),
  ),
  'DOMException DataError',
)
fact(
  'EC pkcs8 of Ed25519',
  await gives(() => subtle.importKey('pkcs8', bytes(keys.ed.pkcs8), ec, true, ['sign'])),
  'DOMException DataError',
)
fact('EC curve missing', await gives(() => jwk(keys.ec.pub, 'ECDSA')), 'TypeError')
fact(
  'EC curve unknown',
  await gives(() => jwk(keys.ec.pub, { name: 'ECDSA', namedCurve: 'P-1' })),
  'DOMException NotSupportedError',
)
fact(
  'EC crv',
  await gives(() => jwk(keys.ec.pub, ec, ['verify'], { crv: 'P-384' })),
  'DOMException DataError',
)
fact(
  'EC crv missing',
  await gives(() => jwk(keys.ec.pub, ec, ['verify'], { crv: undefined })),
  'DOMException DataError',
)
fact(
  'EC kty',
  await gives(() => jwk(keys.ec.pub, ec, ['verify'], { kty: 'OKP' })),
  'DOMException DataError',
)
fact('EC alg ES256', (await jwk(keys.ec.pub, ec, ['verify'], { alg: 'ES256' })).type, 'public')
fact(
  'EC alg ES384',
  await gives(() => jwk(keys.ec.pub, ec, ['verify'], { alg: 'ES384' })),
  'DOMException DataError',
)
fact(
  'EC x short',
  await gives(() => jwk(keys.ec.pub, ec, ['verify'], { x: 'AQAB' })),
  'DOMException DataError',
)
fact(
  'EC x missing',
  await gives(() => jwk(keys.ec.pub, ec, ['verify'], { x: undefined })),
  'DOMException DataError',
)
fact(
  'EC y of another point',
  await gives(() => jwk(keys.ec.pub, ec, ['verify'], { y: keys.ec.pub.x })),
  'DOMException DataError',
)
fact(
  'EC d zero',
  await gives(() => jwk(keys.ec.priv, ec, ['sign'], { d: 'A'.repeat(43) })),
  'DOMException DataError',
)
fact(
  'EC d is n',
  await gives(() =>
    jwk(keys.ec.priv, ec, ['sign'], { d: '_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE' }),
  ),
  'DOMException DataError',
)
fact(
  'EC d short',
  await gives(() => jwk(keys.ec.priv, ec, ['sign'], { d: 'AQAB' })),
  'DOMException DataError',
)
fact(
  'EC export raw',
  hex(await subtle.exportKey('raw', ecPublic)) === hex(bytes(keys.ec.raw)),
  true,
)
fact(
  'EC export spki',
  hex(await subtle.exportKey('spki', ecPublic)) === hex(bytes(keys.ec.spki)),
  true,
)
fact(
  'EC export pkcs8',
  hex(await subtle.exportKey('pkcs8', ecPrivate)) === hex(bytes(keys.ec.pkcs8)),
  true,
)
fact(
  'EC export jwk',
  await subtle
    .exportKey('jwk', ecPrivate)
    .then((j) => [
      j.kty,
      j.crv,
      j.x === keys.ec.pub.x,
      j.y === keys.ec.pub.y,
      j.d === keys.ec.priv.d,
      j.alg,
      j.ext,
      [...j.key_ops],
    ]),
  ['EC', 'P-256', true, true, true, 'undefined', true, ['sign']],
)
fact(
  'EC export raw of a private key',
  await gives(() => subtle.exportKey('raw', ecPrivate)),
  'DOMException InvalidAccessError',
  { node: 'DOMException NotSupportedError' },
)
fact(
  'EC export pkcs8 of a public key',
  await gives(() => subtle.exportKey('pkcs8', ecPublic)),
  'DOMException InvalidAccessError',
)
fact(
  'P-384 verify',
  await gives(async () =>
    subtle.verify(
      es('SHA-384'),
      await jwk(keys.ec384.pub, { name: 'ECDSA', namedCurve: 'P-384' }),
      bytes(keys.ec384.sig),
      data,
    ),
  ),
  true,
  { engine: 'DOMException NotSupportedError' },
)
// Ed25519.
const edPublic = await jwk(keys.ed.pub, 'Ed25519')
const edPrivate = await jwk(keys.ed.priv, 'Ed25519', ['sign'])
const L = unhex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010')
fact('Ed public key', describe(edPublic), ['public', true, '{"name":"Ed25519"}', 'verify'])
fact('Ed private key', describe(edPrivate), ['private', true, '{"name":"Ed25519"}', 'sign'])
fact('Ed verify', await subtle.verify('Ed25519', edPublic, bytes(keys.ed.sig), data), true)
fact(
  'Ed verify, name in lower case',
  await subtle.verify({ name: 'ed25519' }, edPublic, bytes(keys.ed.sig), data),
  true,
)
fact(
  'Ed sign is the same',
  hex(await subtle.sign('Ed25519', edPrivate, data)) === hex(bytes(keys.ed.sig)),
  true,
)
fact(
  'Ed verify a bit off',
  await subtle.verify('Ed25519', edPublic, flip(keys.ed.sig), data),
  false,
)
fact(
  'Ed verify a bit of s off',
  await subtle.verify('Ed25519', edPublic, flip(keys.ed.sig, 40), data),
  false,
)
fact(
  'Ed verify other data',
  await subtle.verify('Ed25519', edPublic, bytes(keys.ed.sig), new Uint8Array(3)),
  false,
)
fact(
  'Ed verify s is L',
  await subtle.verify('Ed25519', edPublic, join(half(keys.ed.sig, 0), L), data),
  false,
)
fact(
  'Ed verify s plus L',
  await subtle.verify(
    'Ed25519',
    edPublic,
    (() => {
      const sig = bytes(keys.ed.sig)
      let carry = 0
      for (let i = 0; i < 32; i++) {
        const sum = sig[32 + i] + L[i] + carry
        sig[32 + i] = sum & 255
        carry = sum >> 8
      }
      return sig
    })(),
    data,
  ),
  false,
)
fact(
  'Ed verify s zero',
  await subtle.verify('Ed25519', edPublic, join(half(keys.ed.sig, 0), new Uint8Array(32)), data),
  false,
)
fact('Ed verify zeros', await subtle.verify('Ed25519', edPublic, new Uint8Array(64), data), false)
fact(
  'Ed verify ones',
  await subtle.verify('Ed25519', edPublic, new Uint8Array(64).fill(255), data),
  false,
)
fact(
  'Ed verify 63 bytes',
  await subtle.verify('Ed25519', edPublic, bytes(keys.ed.sig).slice(1), data),
  false,
)
fact(
  'Ed verify 65 bytes',
  await subtle.verify('Ed25519', edPublic, join(bytes(keys.ed.sig), [0]), data),
  false,
)
fact('Ed verify empty', await subtle.verify('Ed25519', edPublic, new Uint8Array(), data), false)
const edRaw = (raw) => subtle.importKey('raw', raw, 'Ed25519', true, ['verify'])
fact(
  'RFC 8032 test 1',
  await subtle.verify(
    'Ed25519',
    await edRaw(unhex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')),
    unhex(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ),
    new Uint8Array(),
  ),
  true,
)
fact(
  'RFC 8032 test 2',
  await subtle.verify(
    'Ed25519',
    await edRaw(unhex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c')),
    unhex(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ),
    unhex('72'),
  ),
  true,
)
fact(
  'RFC 8032 test 3',
  await subtle.verify(
    'Ed25519',
    await edRaw(unhex('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025')),
    unhex(
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ),
    unhex('af82'),
  ),
  true,
)
fact(
  'Ed small order key',
  await gives(async () =>
    subtle.verify(
      'Ed25519',
      await edRaw(join([1], new Uint8Array(31))),
      join([1], new Uint8Array(63)),
      data,
    ),
  ),
  false,
)
fact(
  'Ed raw that is no point',
  await gives(async () =>
    subtle.verify('Ed25519', await edRaw(new Uint8Array(32).fill(2)), bytes(keys.ed.sig), data),
  ),
  false,
)
fact('Ed raw', describe(await edRaw(bytes(keys.ed.raw))), [
  'public',
  true,
  '{"name":"Ed25519"}',
  'verify',
])
fact('Ed raw of 31 bytes', await gives(() => edRaw(new Uint8Array(31))), 'DOMException DataError')
fact('Ed raw empty', await gives(() => edRaw(new Uint8Array())), 'DOMException DataError')
fact(
  'Ed spki',
  await subtle.verify(
    'Ed25519',
    await subtle.importKey('spki', bytes(keys.ed.spki), 'Ed25519', true, ['verify']),
    bytes(keys.ed.sig),
    data,
  ),
  true,
)
fact(
  'Ed pkcs8',
  hex(
    await subtle.sign(
      'Ed25519',
      await subtle.importKey('pkcs8', bytes(keys.ed.pkcs8), 'Ed25519', true, ['sign']),
      data,
    ),
  ) === hex(bytes(keys.ed.sig)),
  true,
)
fact(
  'Ed pkcs8 truncated',
  await gives(() =>
    subtle.importKey('pkcs8', bytes(keys.ed.pkcs8).slice(0, 40), 'Ed25519', true, ['sign']),
  ),
  'DOMException DataError',
)
fact(
  'Ed spki of EC',
  await gives(() => subtle.importKey('spki', bytes(keys.ec.spki), 'Ed25519', true, ['verify'])),
  'DOMException DataError',
)
fact(
  'Ed x of another key',
  await gives(() =>
    jwk(keys.ed.priv, 'Ed25519', ['sign'], { x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
  ),
  'DOMException DataError',
)
fact(
  'Ed x missing',
  await gives(() => jwk(keys.ed.pub, 'Ed25519', ['verify'], { x: undefined })),
  'DOMException DataError',
)
fact(
  'Ed d of 31 bytes',
  await gives(() => jwk(keys.ed.priv, 'Ed25519', ['sign'], { d: keys.ed.priv.d.slice(2) })),
  'DOMException DataError',
)
fact(
  'Ed crv',
  await gives(() => jwk(keys.ed.pub, 'Ed25519', ['verify'], { crv: 'X25519' })),
  'DOMException DataError',
)
fact(
  'Ed alg EdDSA',
  (await jwk(keys.ed.pub, 'Ed25519', ['verify'], { alg: 'EdDSA' })).type,
  'public',
)
fact(
  'Ed alg Ed25519',
  (await jwk(keys.ed.pub, 'Ed25519', ['verify'], { alg: 'Ed25519' })).type,
  'public',
)
fact(
  'Ed alg ES256',
  await gives(() => jwk(keys.ed.pub, 'Ed25519', ['verify'], { alg: 'ES256' })),
  'DOMException DataError',
)
fact(
  'Ed use enc',
  await gives(() => jwk(keys.ed.pub, 'Ed25519', ['verify'], { use: 'enc' })),
  'DOMException DataError',
)
fact(
  'Ed export jwk',
  await subtle
    .exportKey('jwk', edPrivate)
    .then((j) => [
      j.kty,
      j.crv,
      j.x === keys.ed.pub.x,
      j.d === keys.ed.priv.d,
      j.alg,
      j.ext,
      [...j.key_ops],
    ]),
  ['OKP', 'Ed25519', true, true, 'Ed25519', true, ['sign']],
)
fact(
  'Ed export raw',
  hex(await subtle.exportKey('raw', edPublic)) === hex(bytes(keys.ed.raw)),
  true,
)
fact(
  'Ed export spki',
  hex(await subtle.exportKey('spki', edPublic)) === hex(bytes(keys.ed.spki)),
  true,
)
fact(
  'Ed export pkcs8',
  hex(await subtle.exportKey('pkcs8', edPrivate)) === hex(bytes(keys.ed.pkcs8)),
  true,
)
// What there is not.
fact(
  'importKey X25519',
  await gives(() => subtle.importKey('raw', new Uint8Array(32), 'X25520', true, [])),
  'DOMException NotSupportedError',
)
fact(
  'generateKey MD5',
  await gives(() => subtle.generateKey('MD5', true, ['sign'])),
  'DOMException NotSupportedError',
)
fact(
  'generateKey without usages',
  await gives(() => subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-1' }, true, ['sign'])),
  'DOMException NotSupportedError',
)
fact(
  'generateKey of AES with other usages',
  await gives(() => subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['sign'])),
  'DOMException SyntaxError',
)
fact(
  'generateKey of AES with another length',
  await gives(() => subtle.generateKey({ name: 'AES-GCM', length: 100 }, true, ['encrypt'])),
  'DOMException OperationError',
)
fact(
  'getRandomValues of floats',
  thrown(() => crypto.getRandomValues(new Float32Array(1))),
  'DOMException TypeMismatchError',
)
fact(
  'getRandomValues of doubles',
  thrown(() => crypto.getRandomValues(new Float64Array(1))),
  'DOMException TypeMismatchError',
)
fact(
  'getRandomValues of a DataView',
  thrown(() => crypto.getRandomValues(new DataView(new ArrayBuffer(8)))),
  'DOMException TypeMismatchError',
)
fact(
  'getRandomValues of a buffer',
  thrown(() => crypto.getRandomValues(new ArrayBuffer(8))),
  'DOMException TypeMismatchError',
)
fact(
  'getRandomValues of a list',
  thrown(() => crypto.getRandomValues([1])),
  'DOMException TypeMismatchError',
)
fact(
  'getRandomValues of nothing',
  thrown(() => crypto.getRandomValues()),
  'TypeError',
)
fact(
  'getRandomValues of too much',
  thrown(() => crypto.getRandomValues(new Uint8Array(65537))),
  'DOMException QuotaExceededError',
)
fact(
  'getRandomValues of too much in words',
  thrown(() => crypto.getRandomValues(new Uint32Array(16385))),
  'DOMException QuotaExceededError',
)
fact(
  'getRandomValues with a wrong receiver',
  thrown(() => crypto.getRandomValues.call({}, new Uint8Array(1))),
  'TypeError',
)
fact(
  'randomUUID with a wrong receiver',
  thrown(() => crypto.randomUUID.call(null)),
  'TypeError',
)
fact(
  'getRandomValues of a view',
  thrown(() => crypto.getRandomValues(new Uint16Array(4).subarray(1))),
  'nothing',
  { engine: 'DOMException OperationError' },
)
fact(
  'randomUUID',
  attempt(() => crypto.randomUUID().length),
  36,
  { engine: 'DOMException OperationError' },
)
fact(
  'generateKey',
  await gives(async () => (await subtle.generateKey('Ed25519', false, ['sign'])).privateKey.type),
  'private',
  { engine: 'DOMException OperationError' },
)
fact(
  'RSA sign',
  await gives(
    async () =>
      hex(
        await subtle.sign(
          'RSASSA-PKCS1-v1_5',
          await jwk(keys.rsa.priv, h('SHA-256'), ['sign']),
          data,
        ),
      ) === hex(bytes(keys.rsa.sig)),
  ),
  true,
  { engine: 'DOMException OperationError' },
)
for (const extractable of [true, false]) {
  const raw = bytes('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', extractable, ['verify'])
  fact(
    `a public key that is imported with extractable ${extractable}`,
    key.extractable,
    extractable,
  )
}
